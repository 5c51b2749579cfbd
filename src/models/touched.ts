import { raw } from 'objection'

/**
 * For `updated_at`: increases even if two changes fall into the same millisecond or the clock was
 * set back.
 */
export const TOUCHED = raw("greatest(clock_timestamp(), updated_at + interval '1 millisecond')")
