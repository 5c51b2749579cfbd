/** A form with a file at its end, as it goes over the line. */
interface FormBody {
  /** For the header Content-Type. */
  readonly type: string
  /** Up to the first byte of the file. */
  readonly head: string
  /** From the last byte of the file on. */
  readonly end: string
}

export const BOUNDARY = 'b0undary'

export function formBody(fields: Readonly<Record<string, string>>, filename: string): FormBody {
  const part = (disposition: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
  const before = Object.entries(fields).map(
    ([name, value]) => `${part(`name="${name}"`)}${value}\r\n`,
  )
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    head: `${before.join('')}${part(`name="file"; filename="${filename}"`)}`,
    end: `\r\n--${BOUNDARY}--\r\n`,
  }
}
