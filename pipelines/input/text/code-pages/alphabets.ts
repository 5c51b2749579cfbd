/** A language as its words show it: the letters beyond ASCII that it has. */
export interface WrittenLanguage {
  readonly name: string
  readonly letters: ReadonlySet<string>
  /**
   * For a script of its own, whose words have no other letters: the ten commonest, which make up
   * two thirds of any text, and a third of what is read in a wrong code page.
   */
  readonly commonest: ReadonlySet<string> | null
  /** Letters that it has, but not in such a place. */
  readonly strange?: RegExp
}

const latin = (name: string, letters: string, strange?: RegExp): WrittenLanguage => ({
  name,
  letters: new Set(letters),
  commonest: null,
  ...(strange !== undefined && { strange }),
})

const script = (name: string, letters: string, commonest: string): WrittenLanguage => ({
  name,
  letters: new Set(letters),
  commonest: new Set(commonest),
})

/** Letters that a language has only in a few foreign words are left out: they would excuse anything. */
const WESTERN: readonly WrittenLanguage[] = [
  latin('French', 'àâçéèêëîïôœùûü'),
  latin('German', 'äöüßé'),
  latin('Spanish', 'áéíñóúü'),
  latin('Portuguese', 'áàâãçéêíóôõúü', /õ(?!e)/iu),
  latin('Italian', 'àèéìíòóùú'),
  latin('Catalan', 'àçèéíïòóúü'),
  latin('Dutch', 'ëéèêïöü'),
  latin('Danish or Norwegian', 'æøåé'),
  latin('Swedish or Finnish', 'åäöé'),
  latin('Icelandic', 'áðéíóúýþæö'),
  latin('Faroese', 'áðíóúýæø'),
  latin('Estonian', 'äõöüšž'),
  latin('Irish', 'áéíóú'),
  latin('Albanian', 'çë'),
]
const CENTRAL: readonly WrittenLanguage[] = [
  latin('Polish', 'ąćęłńóśźż'),
  latin('Czech', 'áčďéěíňóřšťúůýž'),
  latin('Slovak', 'áäčďéíĺľňóôŕšťúýž'),
  latin('Hungarian', 'áéíóöőúüű'),
  latin('Croatian or Slovene', 'čćđšž'),
  latin('Romanian', 'ăâîşţ'),
]
const BALTIC: readonly WrittenLanguage[] = [
  latin('Lithuanian', 'ąčęėįšųūž'),
  latin('Latvian', 'āčēģīķļņšūž'),
]
const TURKISH = [latin('Turkish', 'çğıöşüâîûi̇')]
const CYRILLIC: readonly WrittenLanguage[] = [
  script('Russian', 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя', 'оеаинтрслв'),
  script('Ukrainian', 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя', 'оанитівеср'),
  script('Bulgarian', 'абвгдежзийклмнопрстуфхцчшщъьюя', 'аоеинтрсвл'),
  script('Serbian', 'абвгдђежзијклљмнњопрстћуфхцчџш', 'аоиенртсја'),
]
const GREEK = [script('Greek', 'αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ', 'αοιετσνηυρ')]
const HEBREW = [script('Hebrew', 'אבגדהוזחטיךכלםמןנסעףפץצקרשת', 'יוהלאמרתבש')]
const ARABIC = [script('Arabic', 'ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي', 'اليمونرتبة')]

export interface CodePage {
  readonly name: string
  readonly languages: readonly WrittenLanguage[]
  /** Taken where the evidence is clear; others are only named to whoever is told of a doubt. */
  readonly isTaken: boolean
}

/** What text is presumed to be that is neither UTF-8 nor anything better. */
export const WESTERN_PAGE: CodePage = { name: 'windows-1252', languages: WESTERN, isTaken: true }

/** Of two that read a text in the same way, the first is named. */
export const OTHER_PAGES: readonly CodePage[] = [
  { name: 'windows-1250', languages: CENTRAL, isTaken: true },
  { name: 'windows-1251', languages: CYRILLIC, isTaken: true },
  { name: 'cp850', languages: WESTERN, isTaken: true },
  { name: 'macintosh', languages: WESTERN, isTaken: true },
  { name: 'iso-8859-2', languages: CENTRAL, isTaken: false },
  { name: 'cp852', languages: CENTRAL, isTaken: false },
  { name: 'windows-1254', languages: TURKISH, isTaken: false },
  { name: 'windows-1257', languages: BALTIC, isTaken: false },
  { name: 'windows-1253', languages: GREEK, isTaken: false },
  { name: 'windows-1255', languages: HEBREW, isTaken: false },
  { name: 'windows-1256', languages: ARABIC, isTaken: false },
  { name: 'koi8-r', languages: CYRILLIC, isTaken: false },
  { name: 'ibm866', languages: CYRILLIC, isTaken: false },
  { name: 'iso-8859-5', languages: CYRILLIC, isTaken: false },
  { name: 'x-mac-cyrillic', languages: CYRILLIC, isTaken: false },
]
