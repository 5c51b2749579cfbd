/**
 * For a stream that hands its bytes on piece by piece: one that counts bytes joins all it holds into a
 * copy whenever it is read by `for await`.
 */
export const AS_RECEIVED = { readableObjectMode: true, readableHighWaterMark: 1 } as const
