import { readFileSync, writeFileSync } from 'node:fs'

/** Peak resident memory of a process since the last `forgetPeak`; null where the system hides it. */
export function peakResidentBytes(pid: number): number | null {
  return statusBytes(pid, 'VmHWM')
}

export function residentBytes(pid: number): number | null {
  return statusBytes(pid, 'VmRSS')
}

export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Elsewhere than on Linux there is no peak to read, either.
  }
}

function statusBytes(pid: number, field: string): number | null {
  try {
    const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    )
    return found ? Number(found[1]) * 1024 : null
  } catch {
    return null
  }
}
