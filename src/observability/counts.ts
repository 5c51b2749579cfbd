import { Counter, Histogram, Registry } from 'prom-client'

export type WorkOutcome = 'succeeded' | 'failed' | 'cancelled'
type LoadOutcome = 'published' | 'staged' | 'failed' | 'cancelled'

const WORK_OUTCOMES: readonly WorkOutcome[] = ['succeeded', 'failed', 'cancelled']
const LOAD_OUTCOMES: readonly LoadOutcome[] = ['published', 'staged', 'failed', 'cancelled']
const MAIL_OUTCOMES = ['sent', 'failed'] as const
const UPPER_BOUNDS = [0.1, 0.5, 1, 5, 30, 120, 600, 3600]

interface CountedKinds {
  readonly jobs: readonly string[]
  readonly loads: readonly string[]
}

export interface EndedWork {
  readonly kind: string
  readonly outcome: WorkOutcome
  readonly seconds: number
  readonly rows: number
  readonly rejected: number
  readonly bytes: number
}

/**
 * What this process has done since it began. Every series is there from the start, at 0: a failure
 * that is the first of its kind would otherwise not be seen as an increase.
 */
export function createCounts(kinds: CountedKinds) {
  const registers = [new Registry()]
  const counter = (name: string, help: string, labelNames: readonly string[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers })

  const jobs = counter('jobs_ended_total', 'Jobs that ended in this process', ['kind', 'outcome'])
  const seconds = new Histogram({
    name: 'job_duration_seconds',
    help: 'Time from the beginning of the last attempt at a job to its end',
    labelNames: ['kind'],
    buckets: UPPER_BOUNDS,
    registers,
  })
  const rows = counter('job_rows_total', 'Rows that jobs have loaded or changed', ['kind'])
  const rejected = counter('job_rejected_rows_total', 'Rows that jobs have rejected', ['kind'])
  const bytes = counter('job_bytes_total', 'Bytes that jobs have read', ['kind'])
  const loads = counter('loads_ended_total', 'Loads that ended here', ['kind', 'outcome'])
  const mails = counter('mails_total', 'Mails handed over, or not', ['outcome'])

  for (const kind of kinds.jobs) {
    for (const outcome of WORK_OUTCOMES) jobs.inc({ kind, outcome }, 0)
    for (const counted of [rows, rejected, bytes]) counted.inc({ kind }, 0)
    seconds.zero({ kind })
  }
  for (const kind of kinds.loads) {
    for (const outcome of LOAD_OUTCOMES) loads.inc({ kind, outcome }, 0)
  }
  for (const outcome of MAIL_OUTCOMES) mails.inc({ outcome }, 0)

  return {
    jobEnded(ended: EndedWork): void {
      const { kind, outcome } = ended
      jobs.inc({ kind, outcome })
      seconds.observe({ kind }, ended.seconds)
      rows.inc({ kind }, ended.rows)
      rejected.inc({ kind }, ended.rejected)
      bytes.inc({ kind }, ended.bytes)
    },
    loadEnded: (kind: string, outcome: LoadOutcome): void => loads.inc({ kind, outcome }),
    mailEnded: (outcome: (typeof MAIL_OUTCOMES)[number]): void => mails.inc({ outcome }),
    /** In the Prometheus text format. */
    write: (): Promise<string> => registers[0]!.metrics(),
  }
}

export type Counts = ReturnType<typeof createCounts>
