/** A part that the settings name does not work; the message says which setting to check. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
