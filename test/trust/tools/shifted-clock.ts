/** Loaded before a process of the service: its clock is wrong by CLOCK_SHIFT_MS. */
const shiftMs = Number(process.env['CLOCK_SHIFT_MS'])
const TrueDate = Date
const now = () => TrueDate.now() + shiftMs

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, given: [], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
  get: (target, name, receiver) =>
    name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
})
