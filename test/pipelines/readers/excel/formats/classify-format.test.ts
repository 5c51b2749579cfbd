import { expect } from 'chai'

import { builtinFormat } from '../../../../../pipelines/readers/excel/formats/builtin-formats.ts'
import { CellFormat } from '../../../../../pipelines/readers/excel/formats/cell-format.ts'
import { classifyFormat } from '../../../../../pipelines/readers/excel/formats/classify-format.ts'
import { growthTenfold, IN_PROPORTION } from '../../../../support/processor-time.ts'

const CODES: Readonly<Record<Exclude<keyof typeof CellFormat, 'fixedDigits'>, readonly string[]>> =
  {
    number: [
      'General',
      '0',
      '0.00E+00',
      '#,##0.00 [$€-40C]',
      '# ?/?',
      '@',
      '0%',
      '[Red]-0.00;[Blue]0.00',
      '0" jours"',
      '0\\d',
      '0_d',
      '[$$-409]#,##0',
      '"dd/mm/yyyy"',
      '* 0',
      '',
      '#,##0\\ "h"',
      '[Magenta]General',
      '[=1]"oui";[=0]"non";General',
      '[<=9999999]###\\-####;\\(###\\)\\ ###\\-####',
      '0;dd/mm/yyyy',
      ';;;',
    ],
    date: [
      'dd/mm/yyyy',
      'd/m/yy h:mm',
      'mmm-yy',
      '[$-40C]d mmmm yyyy;@',
      '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy',
      'yyyy-mm-dd"T"hh:mm:ss.000',
      '"le jour "d',
      'mm',
      'mmmm',
      'ggge"年"m"月"d"日"',
      '[Red]DD/MM/YYYY',
      'yyyy',
      'dddd',
      '[<1]dd/mm/yyyy;General',
      '[=0]"";dd/mm/yyyy',
      '[<1]hh:mm;dd/mm/yyyy hh:mm',
      'yyyy-mm-dd [hh]:mm',
    ],
    time: [
      'h:mm',
      'hh:mm:ss',
      'mm:ss',
      'h:mm AM/PM',
      '[$-F400]h:mm:ss\\ AM/PM',
      'h"h"mm',
      'h A/P',
      'ss',
    ],
    preciseTime: ['mm:ss.0', 'hh:mm:ss.000', 'mm:ss,0'],
    duration: ['[h]:mm', '[hh]:mm:ss', '[mm]:ss', '[s]', '[H]"h"', '[<1]h:mm;[h]:mm'],
    preciseDuration: ['[h]:mm:ss.00', '[ss].000'],
  }

describe('number formats', () => {
  for (const [kind, codes] of Object.entries(CODES)) {
    for (const code of codes) {
      it(`takes ${code === '' ? 'no code' : code} for a ${kind}`, () => {
        expect(classifyFormat(code)).to.equal(CellFormat[kind as keyof typeof CellFormat])
      })
    }
  }

  it('knows the formats that have a number alone', () => {
    const shown = Array.from({ length: 60 }, (_, id) => builtinFormat(id)).join('')
    const expected = [
      '00000000000000', // 0–13: numbers
      '1111', // 14–17
      '2222', // 18–21
      '1', // 22
      '0000', // 23–26
      '11111', // 27–31
      '2222', // 32–35
      '1', // 36
      '00000000', // 37–44
      '243', // 45–47: mm:ss, [h]:mm:ss, mm:ss.0
      '00', // 48–49
      '11111', // 50–54
      '22', // 55–56
      '11', // 57–58
      '0',
    ]
    expect(shown).to.equal(expected.join(''))
  })

  it('takes time in proportion to the length of a code', async () => {
    for (const part of ['[', 'y"', '[=1];']) {
      const long = part.repeat(100_000 / part.length)
      const growth = await growthTenfold((length) => classifyFormat(long.slice(0, length)))
      expect(growth, part).to.be.below(IN_PROPORTION)
    }
  })
})
