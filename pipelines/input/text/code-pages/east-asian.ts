import { createPageDecoder } from './page-decoders.ts'

/**
 * A script of two bytes a character. Which of them are common is what tells one code page from
 * another: almost any two bytes are some character in each.
 */
interface EastAsian {
  readonly name: string
  readonly language: string
  /** Ranges of the code page with common characters only. */
  readonly plain: RegExp
  /** The commonest, which make up a good part of any text and table. */
  readonly commonest: ReadonlySet<string>
}

const SIMPLIFIED =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应向头文体政美相见利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取格望觉术领共确传师观清今切院让识候带导争运省县镇乡村街号编称址话姓性男备注序合计价购售商店客户股票银行币元单位型份城林江河湖州广京沪深圳杭'
const TRADITIONAL =
  '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作里用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應向頭文體政美相見利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取格望覺術領共確傳師觀清今切院讓識候帶導爭運省縣鎮鄉村街號編稱址姓性男備註序價購售商店客戶股票銀幣元單型份城林江河湖州廣京臺灣台'
const JAPANESE =
  '日一国人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住無真有口少町料工建空急止送切転研足究楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹姉漢都府県区市郡村総数口帯率合和成平昭令単位調査統産番号郵便住所氏性齢称額価格円計備考区分種類型式表内訳率増減全対当期末初現在登録更決定第条項財務省庁局部課長員'
const KOREAN =
  '이다는을에의가고하은한로지를도서기사시인어리자대있나그아들해정과보일부수국원전으게장주스상제라적안여성만경동공구면것방화조유신관산세학내생문모연우중물오소당영회업비실위명진개계민드치심금천운교남년용미재체건강분단계통용번호이름주소시군구읍면동로길남녀합총전월액격가품종류단종등록본점청역호차김박최강조윤장임한오권황송류홍손배백허노하곽광울특별부산광역인천대전울세종제전북경충반값된와할까입니습께서였았었려니음했때를면며'

const scripts: readonly EastAsian[] = [
  {
    name: 'shift_jis',
    language: 'Japanese',
    plain: /[\u3000-\u30ff\uff00-\uff60\u2010-\u22ff\u2500-\u2606\p{Script=Han}]/u,
    commonest: new Set(JAPANESE),
  },
  {
    name: 'euc-jp',
    language: 'Japanese',
    plain: /[\u3000-\u30ff\uff00-\uff60\u2010-\u22ff\u2500-\u2606\p{Script=Han}]/u,
    commonest: new Set(JAPANESE),
  },
  {
    name: 'euc-kr',
    language: 'Korean',
    plain: /[\uac00-\ud7a3\u3000-\u303f\u2010-\u22ff\u2460-\u2606\uff00-\uff60\u00b7]/u,
    commonest: new Set(KOREAN),
  },
  {
    name: 'gb18030',
    language: 'Chinese',
    plain: /[\u3000-\u303f\uff00-\uff60\u2010-\u22ff\u2460-\u2606\p{Script=Han}\u00b7]/u,
    commonest: new Set(SIMPLIFIED),
  },
  {
    name: 'big5',
    language: 'Chinese',
    plain:
      /[\u3000-\u303f\uff00-\uff60\ufe30-\ufe6b\u2010-\u22ff\u2460-\u2606\p{Script=Han}\u00b7]/u,
    commonest: new Set(TRADITIONAL),
  },
]
const KANA = /[\u3041-\u30ff]/u

interface EastAsianReading {
  readonly name: string
  readonly language: string
  readonly characters: number
  readonly common: number
  /** The share of the commonest characters. */
  readonly score: number
}

const WIDE = /[^\0-\u00ff\uff61-\uff9f]/u
const ASCII_LETTER = /[A-Za-z]/
/** Characters beyond ASCII, one after another. */
const RUNS = /[^\0-\u007f]+/gu
/** So many characters say enough. */
const MOST = 4000
const FEWEST = 4
const FEWEST_COMMON = 3
/** Common characters are this much of what is written in the script, ... */
const COMMON_SHARE = 0.25
/** ... and all but a few are ordinary ones. */
const PLAIN_SHARE = 0.95
/** Words are written without letters of ASCII around them, and mostly of two characters or more. */
const WORD_SHARE = 0.6

/** The code pages of East Asia in which the bytes are a text; the likeliest first. */
export function eastAsianReadings(bytes: Buffer): readonly EastAsianReading[] {
  return scripts
    .flatMap((script) => readingOf(script, bytes) ?? [])
    .toSorted((a, b) => b.score - a.score)
}

function readingOf(script: EastAsian, bytes: Buffer): EastAsianReading | null {
  const text = decoded(script.name, bytes)
  if (text === null) return null
  let characters = 0
  let plain = 0
  let common = 0
  let inWords = 0
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    if (characters >= MOST) break
    const before = text.charAt(index - 1)
    const behind = text.charAt(index + run.length)
    const wide = [...run].filter((character) => WIDE.test(character))
    characters += wide.length
    plain += wide.filter((character) => script.plain.test(character)).length
    common += wide.filter((character) => isCommon(script, character)).length
    const isWord = wide.length > 1 && !(ASCII_LETTER.test(before) && ASCII_LETTER.test(behind))
    if (isWord) inWords += wide.length
  }
  const isText =
    characters >= FEWEST &&
    common >= FEWEST_COMMON &&
    plain >= PLAIN_SHARE * characters &&
    common >= COMMON_SHARE * characters &&
    inWords >= WORD_SHARE * characters
  if (!isText) return null
  const { name, language } = script
  return { name, language, characters, common, score: common / characters }
}

const isCommon = ({ language, commonest }: EastAsian, character: string) =>
  commonest.has(character) || (language === 'Japanese' && KANA.test(character))

/** Null if some bytes are nothing in this code page; the beginning of a character at the end is cut. */
function decoded(name: string, bytes: Buffer): string | null {
  try {
    return createPageDecoder(name).decode(bytes, { stream: true })
  } catch {
    return null
  }
}
