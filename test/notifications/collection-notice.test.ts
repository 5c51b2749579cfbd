import { expect } from 'chai'

import type { Language } from '../../pipelines/index.ts'
import { collectionNotice } from '../../src/notifications/collection-notice.ts'

const FILE = {
  filename: 'mars.csv',
  period: '2026-03',
  receivedAt: new Date('2026-04-02T09:30:00Z'),
}
const LINK = 'https://admin.test/deliver/#secret'

describe('what senders are told', () => {
  type Told = Parameters<typeof collectionNotice>[0]['told']
  const noticeOf = (told: Told, language: Language = 'en') =>
    collectionNotice(
      { senderName: 'Lyon', collectionName: 'Ventes', enterpriseName: 'Lumière', told },
      language,
    )

  it('has the receipt of a file that was taken, and no link', () => {
    const told = { kind: 'received' as const, file: FILE, rows: 1240, receipt: 'aa.bb.cc' }
    const { subject, text, html } = noticeOf(told)
    expect(subject).to.equal('Received: Ventes')
    expect(text).to.include('“mars.csv”').and.include('- Rows taken: 1,240')
    expect(text.split('\n\n')).to.include('aa.bb.cc')
    expect(html).to.include('<p>aa.bb.cc</p>').and.not.include('<a ')
    expect(noticeOf(told, 'fr').text).to.include('- Lignes prises\u00a0: 1\u202f240')
  })

  it('has the words with which a file was returned, and the link to send it again', () => {
    const reason = 'The column <Montant> is empty'
    const { text, html } = noticeOf({ kind: 'returned', file: FILE, reason, link: LINK })
    expect(text).to.include(reason).and.include(LINK)
    expect(html).to.include('&#60;Montant&#62;').and.include(`href="${LINK}"`)
  })

  it('says whom to ask once nothing is taken any more', () => {
    const deadline = new Date('2026-04-05T21:59:00Z')
    const told = { kind: 'late' as const, message: null, periods: [], deadline, link: null }
    const { text } = noticeOf(told)
    expect(text).to.include('please get in touch with Lumière').and.not.include('http')
    expect(noticeOf(told, 'fr').text).to.include('5 avril 2026 à 21:59 UTC')
  })
})
