import { ValidationException } from './catalogue.ts'

/** One field that is wrong: the message stands behind its pointer. */
export function invalidField(
  pointer: string,
  message: string,
  cause?: unknown,
): InstanceType<typeof ValidationException> {
  const errors = [{ pointer, message }]
  return new ValidationException(`${pointer} ${message}`, { errors, cause })
}
