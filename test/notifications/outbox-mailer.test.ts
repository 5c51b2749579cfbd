import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'
import PostalMime from 'postal-mime'

import { makeFolder } from '../support/folder.ts'
import { MailError } from '../../src/notifications/mailer.ts'
import { createOutboxMailer } from '../../src/notifications/outbox-mailer.ts'
import { describeMailer, SENDER } from '../contracts/mailer.ts'
import { failure } from '../support/failure.ts'

async function openOutbox() {
  const root = await makeFolder('outbox')
  const folder = join(root, 'made when needed')
  let second = 0
  const now = () => new Date(Date.UTC(2026, 0, 1, 0, 0, (second += 1)))
  const names = async () => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  }
  return {
    root,
    folder,
    names,
    mailer: createOutboxMailer({ folder, from: SENDER, now }),
    async received() {
      const files = (await names()).toSorted()
      return Promise.all(
        files.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
      )
    },
    close: () => rm(root, { recursive: true, force: true }),
  }
}

describeMailer('.eml files', openOutbox)

describe('the outbox', () => {
  const mail = { to: 'a@b.test', subject: 'x', text: 'x', html: 'x' }

  it('names its files so that they sort by time, and leaves nothing unfinished', async () => {
    const outbox = await openOutbox()
    try {
      await outbox.mailer.send(mail)
      const names = await outbox.names()
      expect(names).to.have.length(1)
      expect(names[0]).to.match(/^2026-01-01T00-00-01-000Z-[0-9a-f-]{36}\.eml$/)
    } finally {
      await outbox.close()
    }
  })

  it('fails without naming its path when the folder cannot be written', async () => {
    const outbox = await openOutbox()
    try {
      await writeFile(outbox.folder, 'a file in its place')
      const error = await failure(outbox.mailer.send(mail))
      expect(error).to.be.instanceOf(MailError)
      expect(error.message).to.not.include(outbox.root)
    } finally {
      await outbox.close()
    }
  })
})
