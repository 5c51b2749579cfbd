import { tmpdir } from 'node:os'

import { expect } from 'chai'
import * as fc from 'fast-check'
import iconv from 'iconv-lite'

import { createEngine, DEFAULT_LIMITS, type IngestOptions } from '../../../pipelines/index.ts'
import { openInput } from '../../../pipelines/input/open-input.ts'
import { openText } from '../../../pipelines/input/text/open-text.ts'
import { judgeCodePage } from '../../../pipelines/input/text/code-pages/judge-code-page.ts'
import { patience } from '../../support/patience.ts'
import { bytesOf } from '../engine/loading.ts'

const engine = createEngine({ tempDir: tmpdir() })
const preview = (bytes: Buffer, options: IngestOptions = {}) =>
  engine.preview(bytesOf(bytes), options, { limit: 100, signal: patience() })

/** A small file in each language, with what it was written in. */
const FILES: Readonly<Record<string, readonly [text: string, ...pages: readonly string[]]>> = {
  French: [
    'Prénom;Ville\nHélène;Besançon\nFrançois;Orléans\nÉlodie;Nîmes\nAnaïs;Hôtel-Dieu\n',
    'windows-1252',
    'cp850',
    'macintosh',
  ],
  German: [
    'Straße;Ort\nMüllerstraße;München\nKöln;Düsseldorf\nÄpfel;Öl\nGröße;Fuß\n',
    'windows-1252',
    'cp850',
    'macintosh',
  ],
  Spanish: [
    'Año;Niño\nMálaga;Córdoba\n¿Qué?;España\nMéxico;Bogotá\n',
    'windows-1252',
    'cp850',
    'macintosh',
  ],
  Polish: [
    'Imię;Miasto\nŁukasz;Łódź\nMałgorzata;Kraków\nŻaneta;Poznań\nStanisław;Wrocław\n',
    'windows-1250',
  ],
  Czech: [
    'Jméno;Město\nJiří;Plzeň\nTomáš;České Budějovice\nLukáš;Ústí nad Labem\nOndřej;Děčín\n',
    'windows-1250',
  ],
  Hungarian: [
    'Név;Város\nSzűcs Ágnes;Győr\nKővári István;Székesfehérvár\nErdős Pál;Hódmezővásárhely\nTóth;Pécs\n',
    'windows-1250',
  ],
  Croatian: ['Ime;Grad\nPetrović;Šibenik\nKovačić;Požega\nĐurđević;Čakovec\n', 'windows-1250'],
  Russian: ['Имя;Город\nПётр;Москва\nНаталья;Санкт-Петербург\nАлексей;Казань\n', 'windows-1251'],
  Ukrainian: ['Назва;Місто\nОлексій;Київ\nЮрій;Львів\nНаталія;Чернігів\n', 'windows-1251'],
  Japanese: [
    '商品コード,商品名,価格\nA001,ボールペン 黒,120\nA002,消しゴム,80\nB001,ノート A4,200\n',
    'shift_jis',
    'euc-jp',
  ],
  'Japanese without kana': [
    '名前,都道府県,年齢\n山田太郎,東京都,34\n鈴木花子,大阪府,28\n佐藤一郎,北海道,41\n',
    'shift_jis',
    'euc-jp',
  ],
  Chinese: [
    '姓名,城市,地址\n张伟,北京市,朝阳区建国路88号\n王芳,上海市,浦东新区世纪大道100号\n',
    'gb18030',
  ],
  'traditional Chinese': [
    '姓名,城市,地址\n陳大文,臺北市,中正區重慶南路一段\n林美玲,高雄市,前鎮區中山路\n',
    'big5',
  ],
  Korean: [
    '이름,도시,주소\n김철수,서울특별시,강남구 테헤란로\n박영희,부산광역시,해운대구\n',
    'euc-kr',
  ],
}

/** What people write who write in windows-1252, with the names of others among it. */
const WORDS = {
  French:
    'été élève à où ça Noël Hélène François garçon naïve cœur bœuf Œuvre l’été d’août aîné forêt hôtel sûr déjà École À PRÉNOM MAÎTRE façade où reçu €uro n° m² Île-de-France créée maïs ambiguë «oui» 1er Nîmes Besançon Orléans Ô Ça Étampes Évry Sète',
  German:
    'Straße Größe Müller Österreich Übung ähnlich schön für Fuß weiß Köln Düsseldorf Äpfel GRÖSSE „Ja“ München Nürnberg Gebäude öffnen über können Schlüssel m³ § 5 Café',
  Spanish:
    'año niño España ¿qué? ¡hola! mañana corazón José María Bogotá México Málaga pingüino Córdoba ÑANDÚ Perú teléfono número 1º 2ª Núñez León Ávila',
  English:
    'it’s don’t “quoted” text – dash … café naïve résumé £5 100° ©2020 Trademark™ we’re déjà vu Zoë façade 5½ ±3',
  Italian: 'città perché Forlì libertà Cantù più così lunedì è È università 1ª caffè',
  Portuguese:
    'São Paulo coração João órgão Belém Ceará Goiás três Corações à pêssego avô função ação Ê',
  Nordic:
    'Ærø Ålborg København Rødovre Göteborg Malmö Älvsjö Årsta Linköping Örebro blåbær smørrebrød Þórður Ísafjörður Hafnarfjörður Kópavogur é äiti yö',
}
const words = (...languages: readonly (keyof typeof WORDS)[]) =>
  fc.array(fc.constantFrom(...languages.flatMap((language) => WORDS[language].split(' '))), {
    minLength: 1,
    maxLength: 60,
  })
const ASCII = fc.constantFrom('', 'Paris', '12', '2024-01-31', 'rue', 'A-12', 'The', 'und', 'de')
const texts = (...languages: readonly (keyof typeof WORDS)[]) =>
  fc
    .tuple(
      words(...languages),
      fc.array(ASCII, { maxLength: 40 }),
      fc.constantFrom(';', ',', '\t', ' '),
    )
    .map(([own, plain, between]) => {
      const cells = own.flatMap((word, at) => [
        word,
        ...(plain[at] === undefined ? [] : [plain[at]]),
      ])
      return cells.map((cell, at) => cell + (at % 4 === 3 ? '\r\n' : between)).join('')
    })

describe('the code page of a text that is not UTF-8', () => {
  for (const [language, [text, ...pages]] of Object.entries(FILES)) {
    for (const page of pages) {
      it(`is ${page} by what ${language} says in it, which the dialect shows`, async () => {
        const seen = await preview(iconv.encode(text, page))
        const [header = ''] = text.split('\n')
        const { value, evidence } = seen.input.dialect['encoding'] as Record<string, string>
        expect(value).to.equal(page)
        if (page !== 'windows-1252') {
          expect(evidence).to.match(/^(?:words|common characters) of [A-Z].*: \d+ of \d+/)
        }
        expect(seen.columns.map(({ name }) => name)).to.deep.equal(header.split(/[;,]/))
        expect(seen.warnings.filter(({ code }) => code === 'misread-characters')).to.deep.equal([])
      })
    }
  }

  for (const language of Object.keys(WORDS) as (keyof typeof WORDS)[]) {
    it(`is windows-1252 for whatever ${language} writes in it`, () => {
      fc.assert(
        fc.property(texts(language), (text) => {
          expect(judgeCodePage(iconv.encode(text, 'windows-1252')).name).to.equal('windows-1252')
        }),
        { numRuns: 400 },
      )
    })
  }

  it('is windows-1252 for several of these languages together', () => {
    fc.assert(
      fc.property(
        texts('French', 'German', 'Spanish', 'English', 'Italian', 'Portuguese', 'Nordic'),
        (text) => {
          expect(judgeCodePage(iconv.encode(text, 'windows-1252')).name).to.equal('windows-1252')
        },
      ),
      { numRuns: 400 },
    )
  })

  it('is windows-1252 for any bytes that say nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (bytes) => {
        expect(judgeCodePage(Buffer.from(bytes)).name).to.equal('windows-1252')
      }),
      { numRuns: 1000, seed: 38 },
    )
  })

  it('stays windows-1252 in doubt, and a warning names the code pages that would do', async () => {
    const doubts: readonly (readonly [string, string])[] = [
      ['Имя;Город\nПётр;Москва\nНаталья;Казань\n', 'koi8-r'],
      ['Imię;Miasto\nŁukasz;Łódź\nMałgorzata;Kraków\nŻaneta;Poznań\n', 'iso-8859-2'],
      ['Όνομα;Πόλη\nΓιώργος;Αθήνα\nΜαρία;Θεσσαλονίκη\n', 'windows-1253'],
      ['nom;n\nHélène;1\n', 'cp850'],
    ]
    for (const [text, page] of doubts) {
      const seen = await preview(iconv.encode(text, page))
      expect(seen.input.encoding, page).to.equal('windows-1252')
      const warning = seen.warnings.find(({ code }) => code === 'misread-characters')
      expect(String(warning?.message), page).to.contain(page)
      const again = await preview(iconv.encode(text, page), { encoding: page })
      expect(again.columns[0]!.name, page).to.equal(text.split(';')[0])
    }
  })

  it('is found in the first bytes beyond the head that are not UTF-8, too', async () => {
    const ascii = Buffer.from('a;b\n'.repeat(20_000))
    const late = iconv.encode('Пётр;Москва\nНаталья;Казань\n'.repeat(9), 'windows-1251')
    expect(await learnedAtTheEnd(Buffer.concat([ascii, late]))).to.equal('windows-1251')
  })

  it('is given up for windows-1252, which reads all bytes, where later ones mean nothing in it', async () => {
    const japanese = iconv.encode('名前,年齢\n山田太郎,三十\n'.repeat(5000), 'shift_jis')
    const broken = Buffer.concat([japanese, Buffer.from([0x80, 0x0a])])
    expect(await learnedAtTheEnd(japanese)).to.equal(undefined)
    expect(await learnedAtTheEnd(broken)).to.equal('windows-1252')
  })
})

/** What was learned of the encoding when everything was read. */
async function learnedAtTheEnd(bytes: Buffer): Promise<string | undefined> {
  const context = { limits: DEFAULT_LIMITS, tempDir: tmpdir(), signal: patience() }
  const input = await openInput(bytesOf(bytes), context, () => false)
  const text = openText(input, { options: {} })
  for (let piece = await text.next(); piece !== null; piece = await text.next()) text.release(piece)
  await input.close()
  return text.misjudged?.encoding
}

describe('the label of an encoding', () => {
  const labels: Readonly<Record<string, string>> = {
    cp932: 'shift_jis',
    ms932: 'shift_jis',
    'windows-31j': 'shift_jis',
    SJIS: 'shift_jis',
    latin1: 'windows-1252',
    cp1252: 'windows-1252',
    'ISO-8859-1': 'windows-1252',
    gb2312: 'gbk',
    cp936: 'gbk',
    cp949: 'euc-kr',
    cp950: 'big5',
    'big5-hkscs': 'big5',
    cp1250: 'windows-1250',
    'x-cp1251': 'windows-1251',
    cp866: 'ibm866',
    l2: 'iso-8859-2',
    mac: 'macintosh',
    'x-mac-roman': 'macintosh',
    IBM850: 'cp850',
    utf8: 'utf-8',
    euc_jp: 'euc-jp',
    'tis-620': 'windows-874',
    cp65001: 'utf-8',
    ' Latin1 ': 'windows-1252',
  }
  for (const [label, name] of Object.entries(labels)) {
    it(`may be ${label}, which is ${name}`, async () => {
      expect(
        (await preview(Buffer.from('a;b\n1;2\n'), { encoding: label })).input.encoding,
      ).to.equal(name)
    })
  }
})
