import type { ClientBase } from 'pg'
import { type CopyToStreamQuery, to } from 'pg-copy-streams'

/** The network delivers at most 64 KiB at a time. */
const PIECES_AHEAD = 8

/**
 * `COPY … TO STDOUT` on one connection, to be read in a loop: what arrives together is one piece.
 * The server sends no faster than the pieces are read. Whoever leaves the loop early has to close
 * the connection.
 */
export const copyOut = (client: ClientBase, text: string): CopyToStreamQuery =>
  client.query(to(text, { objectMode: true, highWaterMark: PIECES_AHEAD }))
