// Whether the process of this container lives: an API answers on PORT, a worker on WORKER_PORT.
const { PORT, WORKER_PORT } = process.env
const lives = async (port) => {
  const { ok } = await fetch(`http://127.0.0.1:${port}/health/live`)
  if (!ok) throw new Error(`port ${port} answers, but not that it lives`)
}
try {
  await Promise.any([...new Set([PORT, WORKER_PORT])].filter(Boolean).map(lives))
} catch ({ errors }) {
  process.stderr.write(
    `${errors.map(({ message, cause }) => cause?.message ?? message).join('\n')}\n`,
  )
  process.exitCode = 1
}
