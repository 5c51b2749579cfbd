/**
 * The subject of all examples in the OpenAPI document: a small file, the options that it is sent
 * with, and what becomes of it. The values are those that the service really returns.
 */
export const EXAMPLE_CSV = [
  'Date;Client;Montant TTC;Payé',
  '03/03/2026;Galerie Martin;1 240,50;oui',
  '11/03/2026;Hôtel des Îles;3 980,00;non',
  '27/03/2026;Mairie de Sète;12 400,00;oui',
  '31/02/2026;Café du Port;86,00;non',
  '',
].join('\r\n')

export const exampleOptions = {
  columns: [{ name: 'Date', type: 'date' as const, dateFormat: 'DD/MM/YYYY' as const }],
  onInvalid: 'skip' as const,
}

const given = { name: 'Date', column: 'date', type: 'date' as const, sqlType: 'date' as const }

export const exampleColumns = [
  { ...given, dateFormat: 'DD/MM/YYYY' as const },
  { name: 'Client', column: 'client', type: 'text' as const, sqlType: 'text' as const },
  {
    name: 'Montant TTC',
    column: 'montant_ttc',
    type: 'number' as const,
    sqlType: 'numeric' as const,
  },
  { name: 'Payé', column: 'paye', type: 'boolean' as const, sqlType: 'boolean' as const },
]

export const exampleRows = [
  { Date: '2026-03-03', Client: 'Galerie Martin', 'Montant TTC': 1240.5, Payé: true },
  { Date: '2026-03-11', Client: 'Hôtel des Îles', 'Montant TTC': 3980, Payé: false },
  { Date: '2026-03-27', Client: 'Mairie de Sète', 'Montant TTC': 12400, Payé: true },
]

/** The row with an invalid date, as a preview shows it and as it is rejected. */
export const exampleBadRow = { Date: null, Client: 'Café du Port', 'Montant TTC': 86, Payé: false }

export const exampleReject = {
  id: 1,
  row: 4,
  line: 5,
  column: 'Date',
  value: '31/02/2026',
  message: 'Invalid date format: “31/02/2026” (expected format: DD/MM/YYYY)',
  raw: '31/02/2026;Café du Port;86,00;non',
}

/** As returned by GET /sources/:uuid/rejects?format=csv. */
export const EXAMPLE_REJECTS_CSV = [
  'reason,reject,Date,Client,Montant TTC,Payé',
  `${exampleReject.message},${exampleReject.id},31/02/2026,Café du Port,"86,00",non`,
  '',
].join('\r\n')

const text = { type: 'text', accepted: 4 }
const evidenceOf = (...candidates: { type: string; format?: string; accepted: number }[]) => ({
  sampled: 4,
  candidates: [...candidates, text],
  nulls: {},
  fallbackParsed: 0,
  counterExample: null,
  ambiguous: false,
})

/** In the order of the columns. */
const evidence = [
  {
    ...evidenceOf(
      { type: 'date', format: 'DD/MM/YYYY', accepted: 3 },
      { type: 'date', format: 'MM/DD/YYYY', accepted: 2 },
    ),
    counterExample: { row: 4, line: 5, value: '31/02/2026' },
  },
  evidenceOf(),
  evidenceOf({ type: 'number', format: 'comma-decimal', accepted: 4 }),
  evidenceOf({ type: 'boolean', accepted: 4 }),
]

export const exampleEvidence = exampleColumns.map((column, at) => ({
  ...column,
  evidence: evidence[at]!,
}))

export const exampleDialect = {
  compression: 'none',
  encoding: { value: 'utf-8', evidence: 'valid UTF-8' },
  delimiter: { value: ';', evidence: 'most rows have 4 fields' },
  quote: { value: '"', evidence: 'found' },
  lineEnd: { value: 'CRLF', evidence: 'found' },
}

export const exampleTable = {
  titles: [],
  header: { rows: [1] },
  firstRow: 2,
  lastRow: 5,
  notes: [],
  evidence: { header: 'first row' as const, reasons: [] },
  alternatives: [],
}

export const exampleWarning = {
  code: 'header-inside' as const,
  message:
    'The header is repeated among the rows, and was loaded as 2 rows of data. If another table begins there, load each of them with firstRow and lastRow.',
  line: 52,
}

export const exampleCounts = { read: 4, loaded: 3, rejected: 1, blank: 0 }
export const exampleDrift = { added: [], removed: [], retyped: [] }

export const exampleReport = {
  reader: 'csv-ranges',
  input: {
    format: 'csv',
    sourceType: 'CSV',
    layout: { kind: 'fields', delimiter: ';', quote: '"', headerEnd: 1 },
    encoding: 'utf-8',
    dialect: exampleDialect,
    repaired: { quotesTakenLiterally: 0, rowsPadded: 0, blankFieldsDropped: 0, fieldsCut: 0 },
  },
  table: exampleTable,
  columns: exampleEvidence,
  counts: exampleCounts,
  invalidCells: 1,
  widenings: [],
  restarts: 0,
  warnings: [],
  drift: exampleDrift,
  bytesRead: 191,
  durationMs: 23,
}
