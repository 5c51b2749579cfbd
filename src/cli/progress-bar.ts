import { type LoadProgress, MiB } from '../../pipelines/index.ts'

interface ProgressBar extends Disposable {
  show(progress: LoadProgress): void
}

/** Shows bytes, rows per second and the time left on a terminal; does nothing elsewhere. */
export async function createProgressBar(stream: NodeJS.WriteStream): Promise<ProgressBar> {
  if (!stream.isTTY) return { show: () => undefined, [Symbol.dispose]: () => undefined }
  const {
    default: { Format, SingleBar },
  } = await import('cli-progress')
  const began = performance.now()
  const bar = new SingleBar({
    stream,
    hideCursor: true,
    clearOnComplete: true,
    etaBuffer: 50,
    // As long as the time left is unknown, the library prints a word in place of the seconds.
    formatTime: (seconds, options, roundTo) =>
      Number.isFinite(seconds) ? Format.TimeFormat(seconds, options, roundTo) : '…',
    format:
      '{phase} {bar} {percentage}% | {megabytes} MiB | {rows} | {rate} rows/s | {eta_formatted}',
  })
  let started = false
  return {
    show({ phase, bytesRead, bytesTotal, rows, rejected }) {
      const seconds = (performance.now() - began) / 1000
      const payload = {
        phase,
        megabytes: (bytesRead / MiB).toFixed(1),
        rows: `${rows} ${rows === 1 ? 'row' : 'rows'}${rejected === 0 ? '' : `, ${rejected} rejected`}`,
        rate: Math.round(rows / Math.max(seconds, 0.001)),
      }
      if (started) bar.update(bytesRead, payload)
      else bar.start(bytesTotal ?? 0, bytesRead, payload)
      started = true
    },
    [Symbol.dispose]: () => bar.stop(),
  }
}
