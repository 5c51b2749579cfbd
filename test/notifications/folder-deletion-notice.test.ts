import { expect } from 'chai'

import { folderDeletionNotice } from '../../src/notifications/folder-deletion-notice.ts'

const DELETION = {
  folderName: 'Clients 2025',
  enterpriseName: 'Atelier Lumière',
  folderDeleted: true,
  deletedFolders: 12,
  deletedDocuments: 10_001,
  failedDocuments: 0,
  durationMs: 65_400,
}

// French groups digits with a narrow no-break space.
const TEN_THOUSAND_ONE = '10\u202f001'

describe('the notice of a folder deletion', () => {
  it('tells names, counts and duration in text and in HTML', () => {
    const { subject, text, html } = folderDeletionNotice(DELETION, 'fr')
    expect(subject).to.equal('Suppression terminée\u00a0: Clients 2025')
    for (const body of [text, html]) {
      expect(body).to.include('«\u00a0Clients 2025\u00a0»')
      expect(body).to.include('«\u00a0Atelier Lumière\u00a0»')
      expect(body).to.include('supprimé définitivement')
      expect(body).to.include('Dossiers supprimés\u00a0: 12')
      expect(body).to.include(`Documents supprimés\u00a0: ${TEN_THOUSAND_ONE}`)
      expect(body).to.include('Documents en échec\u00a0: 0')
      expect(body).to.include('Durée\u00a0: 1 min 5 s')
    }
  })

  it('says that a deletion is incomplete and what to do', () => {
    const { subject, text, html } = folderDeletionNotice(
      { ...DELETION, folderDeleted: false, failedDocuments: 3 },
      'fr',
    )
    expect(subject).to.equal('Suppression incomplète\u00a0: Clients 2025')
    for (const body of [text, html]) {
      expect(body).to.include('incomplète')
      expect(body).to.include('Documents en échec\u00a0: 3')
      expect(body).to.include('Relancez la suppression')
    }
  })

  for (const [durationMs, shown] of [
    [0, '0 s'],
    [1_499, '1 s'],
    [59_999, '1 min'],
    [3_600_000, '1 h'],
    [7_505_000, '2 h 5 min'],
  ] as const) {
    it(`writes ${durationMs} ms as ${shown}`, () => {
      expect(folderDeletionNotice({ ...DELETION, durationMs }, 'fr').text).to.include(
        `Durée\u00a0: ${shown}\n`,
      )
    })
  }

  it('is written in English, too', () => {
    const { subject, text, html } = folderDeletionNotice(
      { ...DELETION, deletedDocuments: 12_345 },
      'en',
    )
    expect(subject).to.equal(`Deletion finished: ${DELETION.folderName}`)
    expect(text).to.include('was permanently deleted.')
    expect(text).to.include('- Documents deleted: 12,345\n')
    expect(html).to.include('<html lang="en">')
  })

  it('escapes names in HTML', () => {
    const folderName = `<img src=x onerror="alert('1')">&amp;`
    const { html, text } = folderDeletionNotice(
      { ...DELETION, folderName, enterpriseName: '</p>' },
      'fr',
    )
    expect(html).to.not.include('<img')
    expect(html).to.not.include('<p></p>')
    expect(html).to.include('&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;&#38;amp;')
    expect(text).to.include(folderName)
  })
})
