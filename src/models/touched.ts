import { raw } from 'objection'

/** For `updated_at`: moves even when two changes fall into one millisecond, or the clock was set back. */
export const TOUCHED = raw("greatest(clock_timestamp(), updated_at + interval '1 millisecond')")
