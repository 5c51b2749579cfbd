import { tmpdir } from 'node:os'

import { expect } from 'chai'

import { createEngine } from '../../../pipelines/index.ts'
import { bytesOf } from './loading.ts'
import { patience } from '../../support/patience.ts'

const windows1252 = (text: string) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1')
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

interface Shown {
  readonly columns: string
  readonly rows: readonly string[]
}

async function shown(file: string | Buffer): Promise<Shown> {
  const engine = createEngine({ tempDir: tmpdir() })
  const control = { limit: 10, signal: patience() }
  const { columns, rows } = await engine.preview(bytesOf(file), {}, control)
  const described = columns.map(({ name, sqlType, dateFormat }) =>
    [name, sqlType, ...(dateFormat === undefined ? [] : [dateFormat])].join(' '),
  )
  return {
    columns: described.join(' | '),
    rows: rows.map((row) => row.map((cell) => cell ?? '').join(' | ')),
  }
}

/** What programs of an office write, and what it is to a careful reader. */
const FILES: Readonly<Record<string, readonly [file: string | Buffer, found: Shown]>> = {
  'a French Excel, with its delimiter in the first line': [
    windows1252(
      'sep=;\r\nDate;Libellé;Débit €;Crédit €\r\n31/12/99;"Loyer; déc.";1\xa0250,00;\r\n',
    ),
    {
      columns: 'Date date DD/MM/YYYY | Libellé text | Débit € numeric | Crédit € text',
      rows: ['"1999-12-31" | "Loyer; déc." | 1250.00 | '],
    },
  ],
  'Unicode text of Excel': [
    utf16('Date\tLibellé\tSolde\r\n31/12/2025\tCafé\t-1\u202f250,00\r\n'),
    {
      columns: 'Date date DD/MM/YYYY | Libellé text | Solde numeric',
      rows: ['"2025-12-31" | "Café" | -1250.00'],
    },
  ],
  LibreOffice: [
    '"Date","Montant","Payé"\n2026-01-31,"1250,5",VRAI\n2026-02-28,"45,1",FAUX\n',
    {
      columns: 'Date date YYYY-MM-DD | Montant numeric | Payé boolean',
      rows: ['"2026-01-31" | 1250.5 | true', '"2026-02-28" | 45.1 | false'],
    },
  ],
  'the answers of a Google form': [
    'Horodateur,Nom,Note\n31/12/2025 14:05:33,"Durand, Zoé",5\n01/01/2026 9:05:03,Ana,4\n',
    {
      columns: 'Horodateur timestamptz DD/MM/YYYY | Nom text | Note bigint',
      rows: [
        '"2025-12-31T14:05:33.000Z" | "Durand, Zoé" | 5',
        '"2026-01-01T09:05:03.000Z" | "Ana" | 4',
      ],
    },
  ],
  'a balance with titles, a gap and a total': [
    'Société ACME;;;\nÉdité le 02/01/2026;;;\n;;;\nCompte;Libellé;;Solde\n401000;Fournisseurs;;1 250,00\n;;;\n512000;Banque;;-45,10\nTotal;;;1 204,90\n',
    {
      columns: 'Compte text | Libellé text | Sans titre 1 text | Solde numeric',
      rows: [
        '"401000" | "Fournisseurs" |  | 1250.00',
        '"512000" | "Banque" |  | -45.10',
        '"Total" |  |  | 1204.90',
      ],
    },
  ],
  'the entries that the tax office asks for': [
    'JournalCode|EcritureDate|CompteNum|Debit|Credit\nAC|20260131|401000|1250,00|0,00\n',
    {
      columns:
        'JournalCode text | EcritureDate bigint | CompteNum bigint | Debit numeric | Credit numeric',
      rows: ['"AC" | 20260131 | 401000 | 1250.00 | 0.00'],
    },
  ],
  'addresses of several lines, every line ended by a delimiter': [
    'Nom;Adresse;CP;\r\n"Durand";"12 rue X\n75001 Paris";75001;\r\n"Zoé";"3 av. ""Y""";01000;\r\n',
    {
      columns: 'Nom text | Adresse text | CP text | Sans titre 1 text',
      rows: [
        '"Durand" | "12 rue X\\n75001 Paris" | "75001" | ',
        '"Zoé" | "3 av. \\"Y\\"" | "01000" | ',
      ],
    },
  ],
  'amounts that are more than numbers, dates in words': [
    'Prix;Taux;Écart;Jour\n12,50 €;5,5 %;(3,20);1er janvier 2026\n',
    {
      columns: 'Prix numeric | Taux numeric | Écart numeric | Jour text',
      rows: ['12.50 | 0.055 | -3.20 | "1er janvier 2026"'],
    },
  ],
}

describe("accountants' files", () => {
  for (const [what, [file, found]] of Object.entries(FILES)) {
    it(`are read as they are meant: ${what}`, async () => {
      expect(await shown(file)).to.deep.equal(found)
    })
  }

  it('are refused with row and line when text follows below the table', async () => {
    const refusal = await shown('Date;M\n01/01/2026;1\n\nÉdité par la compta\n').catch(
      (error: Error) => error.message,
    )
    expect(refusal).to.equal('Row 3 (line 4): 1 field where there are 2 columns.')
  })
})
