/** A table that reads right as it stands, and what has to be seen in it. */
export interface Innocent {
  readonly text: string
  /** Null: its first line is a row already. */
  readonly names: readonly string[] | null
  readonly rows: number
  /** Of what kind it is, to find what goes wrong. */
  readonly kind: string
}

type Random = () => number

/** The same numbers for the same seed, on every machine. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const WORDS =
  'Brest Saint-Étienne Le\u00a0Mans actif fermé DUPONT Martin Zoé Mairie École Total Source Note oui non rouge Nord Sud CDI cadre bois Île-de-France'.split(
    ' ',
  )
const NAMES =
  'id nom Prénom date Montant code Ville adresse CP statut type Libellé région âge sexe latitude longitude total note source email téléphone prix quantité année effectif part commentaire unité niveau'.split(
    ' ',
  )
const QUESTIONS = [
  'Dans l’ensemble, êtes-vous satisfait de la propreté des rues de votre quartier ?',
  'Combien de fois par mois utilisez-vous les transports en commun de la métropole ?',
  'Avez-vous des remarques à faire au conseil municipal sur le projet de réaménagement ?',
]

const whole = (random: Random, from: number, to: number) =>
  from + Math.floor(random() * (to - from + 1))
const one = <T>(random: Random, of: readonly T[]): T => of[whole(random, 0, of.length - 1)]!
const two = (value: number) => String(value).padStart(2, '0')

/** What columns hold; those of figures first, which show that a line is a row. */
const FIGURES: Readonly<Record<string, (random: Random, at: number) => string>> = {
  counter: (_, at) => String(at + 1),
  number: (random) => String(whole(random, -50, 90_000)),
  decimal: (random) => `${whole(random, 0, 999)}.${two(whole(random, 0, 99))}`,
  amount: (random) =>
    `${whole(random, 1, 999)} ${whole(random, 100, 999)},${two(whole(random, 0, 99))} €`,
  share: (random) => `${whole(random, 0, 99)},${whole(random, 0, 9)} %`,
  year: (random) => String(whole(random, 1990, 2024)),
  date: (random) => `${two(whole(random, 1, 28))}/${two(whole(random, 1, 12))}/2023`,
  iso: (random) =>
    `20${two(whole(random, 0, 24))}-${two(whole(random, 1, 12))}-${two(whole(random, 1, 28))}T0${whole(random, 0, 9)}:00:00Z`,
  time: (random) => `${whole(random, 0, 23)}:${whole(random, 10, 59)}`,
  coordinate: (random) => (random() * 90).toFixed(6),
  postcode: (random) => `0${whole(random, 1000, 9999)}`,
  flag: (random) => one(random, ['0', '1']),
}
const TEXTS: Readonly<Record<string, (random: Random, at: number) => string>> = {
  word: (random) => one(random, WORDS),
  code: (random) => `${one(random, ['A', 'MG-', '2A', 'FR'])}${whole(random, 1, 999)}`,
  phone: (random) =>
    `0${whole(random, 1, 9)} ${Array.from({ length: 4 }, () => two(whole(random, 0, 99))).join(' ')}`,
  email: (random) => `${one(random, ['a', 'jean.d', 'zoe'])}${whole(random, 1, 99)}@exemple.fr`,
  link: (random) => `https://exemple.fr/fiche/${whole(random, 1, 9999)}`,
  list: (random) =>
    Array.from({ length: whole(random, 1, 4) }, () => one(random, ['rouge', 'vert', 'bleu'])).join(
      '/',
    ),
  // It begins with no word by which people begin a note.
  prose: (random) =>
    ['Le', ...Array.from({ length: whole(random, 6, 14) }, () => one(random, WORDS))].join(' '),
  mixed: (random) =>
    one(random, [one(random, WORDS), String(whole(random, 0, 99)), '-', 'n.d.', '12 bis', '(3)']),
  seldom: (random) => (random() < 0.75 ? '' : one(random, WORDS)),
  letter: (random) => one(random, ['M', 'F', 'X']),
}

type HeaderKind = (random: Random, width: number) => readonly string[]

const distinct: HeaderKind = (random, width) => {
  const left = [...NAMES]
  return Array.from(
    { length: width },
    (_, at) => left.splice(whole(random, 0, left.length - 1), 1)[0] ?? `nom ${at}`,
  )
}
const replaced = (names: readonly string[], at: number, name: string) =>
  names.map((old, place) => (place === at ? name : old))

/** Ways in which first lines are headers. The first column always has a name, as in what people write. */
const HEADERS: Readonly<Record<string, HeaderKind>> = {
  distinct,
  repeated: (random, width) => {
    const names = distinct(random, width)
    return width < 3 ? names : replaced(names, whole(random, 1, width - 1), names[0]!)
  },
  blank: (random, width) => {
    const names = distinct(random, width)
    return width < 4 ? names : replaced(names, whole(random, 1, width - 1), '')
  },
  index: (random, width) =>
    width < 3 ? distinct(random, width) : replaced(distinct(random, width), 0, ''),
  years: (random, width) =>
    width < 3
      ? distinct(random, width)
      : distinct(random, width).map((name, at) => (at < 2 ? name : String(2008 + at))),
  numbered: (random, width) => distinct(random, width).map((_, at) => `col${at + 1}`),
  letters: (_, width) => Array.from({ length: width }, (__, at) => String.fromCharCode(97 + at)),
  questions: (random, width) =>
    distinct(random, width).map((name, at) =>
      at > 0 && at <= QUESTIONS.length ? QUESTIONS[at - 1]! : name,
    ),
  periods: (random, width) =>
    distinct(random, width).map((name, at) =>
      at === 0 || width < 3
        ? name
        : one(random, [`T${1 + (at % 4)} ${2019 + at}`, `${2010 + at}-${11 + at}`, `mois ${at}`]) +
          ` (${at})`,
    ),
  capitals: (random, width) => distinct(random, width).map((name) => name.toUpperCase()),
  units: (random, width) => distinct(random, width).map((name) => `${name} (€)`),
  values: (random, width) => {
    const names = distinct(random, width)
    return replaced(names, 0, 'Nord')
  },
  machine: (random, width) => distinct(random, width).map((_, at) => `Q${at + 1}_1`),
}

const DELIMITERS = [',', ';', '\t', '|'] as const
const quoted = (cell: string, delimiter: string) =>
  cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell

/** One table; of ten, one has no header. */
export function innocent(random: Random): Innocent {
  const delimiter = one(random, DELIMITERS)
  const width = random() < 0.1 ? 1 : whole(random, 2, random() < 0.1 ? 30 : 9)
  const hasHeader = random() < 0.9
  const kinds = Array.from({ length: width }, (_, at) =>
    // Without a header, the first line is told by figures that are no names.
    random() < (hasHeader ? 0.5 : 0.6) || (!hasHeader && at === 0)
      ? one(random, Object.keys(FIGURES))
      : one(random, Object.keys(TEXTS)),
  )
  const cellOf = (kind: string, at: number) => (FIGURES[kind] ?? TEXTS[kind])!(random, at)
  const count = random() < 0.3 ? whole(random, hasHeader ? 1 : 6, 8) : whole(random, 6, 60)
  const holes = one(random, [0, 0, 0.2, 0.6])
  const rows = Array.from({ length: count }, (_, at) =>
    kinds.map((kind, column) => (column > 0 && random() < holes ? '' : cellOf(kind, at))),
  )
  const [name, header] = one(random, Object.entries(HEADERS))
  const names = hasHeader ? header(random, width) : null
  // A year above years is no name for anybody.
  if (name === 'years' && kinds.includes('year')) return innocent(random)
  const lines = names === null ? rows : [names, ...rows]
  // A row without a value is none, and of one column nobody could tell.
  if (rows.some((cells) => cells.every((cell) => cell === ''))) return innocent(random)
  return {
    text: lines
      .map((cells) => cells.map((cell) => quoted(cell, delimiter)).join(delimiter))
      .join('\n'),
    names,
    rows: rows.filter((cells) => cells.some((cell) => cell !== '')).length,
    kind: `${names === null ? 'none' : name} · ${kinds.join(' ')}`,
  }
}
