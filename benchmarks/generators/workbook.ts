import ExcelJS from 'exceljs'

/** Ten columns as offices keep them, in the types that Postgres should give them. */
export const WORKBOOK_COLUMNS = [
  { header: 'Numéro', sqlType: 'bigint' },
  { header: 'Nom', sqlType: 'text' },
  { header: 'Ville', sqlType: 'text' },
  { header: 'Montant', sqlType: 'numeric' },
  { header: 'Taux', sqlType: 'numeric' },
  { header: 'Date', sqlType: 'date' },
  { header: 'Actif', sqlType: 'boolean' },
  { header: 'Commentaire', sqlType: 'text' },
  { header: 'Code', sqlType: 'text' },
  { header: 'Quantité', sqlType: 'bigint' },
] as const

const CITIES = ['Besançon', 'Orléans', 'Saint-Étienne', 'Paris', 'Nîmes']
const FIRST_DAY = Date.UTC(2015, 0, 1)
const DAY_MS = 86_400_000

export type BenchedValue = string | number | boolean | Date

/** The cells of a row, counted from 1. */
export function benchedRow(row: number): BenchedValue[] {
  return [
    row,
    `Client numéro ${row % 5000}`,
    CITIES[row % CITIES.length]!,
    ((row * 7919) % 1_000_000) / 100,
    (row % 100) / 100,
    new Date(FIRST_DAY + (row % 3000) * DAY_MS),
    row % 2 === 0,
    `dossier ${row}, à rappeler`,
    `C${String(row).padStart(7, '0')}`,
    row % 17,
  ]
}

/** The same rows make the same cells; `sharedStrings` is how Excel itself writes texts. */
export async function writeWorkbook(
  path: string,
  rows: number,
  { sharedStrings }: { readonly sharedStrings: boolean },
): Promise<void> {
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({
    filename: path,
    useStyles: true,
    useSharedStrings: sharedStrings,
  })
  const sheet = workbook.addWorksheet('Clients')
  sheet.addRow(WORKBOOK_COLUMNS.map(({ header }) => header)).commit()
  for (let row = 1; row <= rows; row += 1) {
    const written = sheet.addRow(benchedRow(row))
    written.getCell(6).numFmt = 'dd/mm/yyyy'
    written.commit()
  }
  await workbook.commit()
}
