import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { composeMail } from './compose-mail.ts'
import { type Mailer, MailError } from './mailer.ts'
import { later } from '../../pipelines/index.ts'

const mailers = later(() => import('nodemailer'))

interface OutboxSettings {
  readonly folder: string
  readonly from: string
  readonly now?: () => Date
}

/** Writes one `.eml` file per mail, which any mail program can open; the names sort by time. */
export function createOutboxMailer(settings: OutboxSettings): Mailer {
  const { folder, now = () => new Date() } = settings

  return {
    async send(mail, signal) {
      signal?.throwIfAborted()
      const composed = composeMail(settings.from, mail)
      const { createTransport } = await mailers()
      const transport = createTransport({ streamTransport: true, buffer: true })
      const { message } = await transport.sendMail(composed)
      if (!Buffer.isBuffer(message)) throw new MailError('The mail could not be composed')
      const name = `${now().toISOString().replace(/[:.]/g, '-')}-${randomUUID()}.eml`
      try {
        await mkdir(folder, { recursive: true })
        await writeWhole(folder, name, message)
      } catch (error) {
        throw new MailError('The mail could not be written', { cause: error })
      }
    },
    // If the folder could not be created, that was reported when it was opened.
    check: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

/** The file only appears under its name once it is complete. */
async function writeWhole(folder: string, name: string, bytes: Buffer): Promise<void> {
  const unfinished = join(folder, `.${name}.part`)
  try {
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, join(folder, name))
  } finally {
    await rm(unfinished, { force: true })
  }
}
