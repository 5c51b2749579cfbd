export const MiB = 1024 * 1024
