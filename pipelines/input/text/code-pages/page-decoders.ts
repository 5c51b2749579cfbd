/** The characters of DOS code pages, which Node does not know, for the bytes from 0x80 on. */
const PAGES: Readonly<Record<string, string>> = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  cp852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  cp858:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  cp860:
    'ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ¢£Ù₧ÓáíóúñÑªº¿Ò¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp863:
    'ÇüéâÂà¶çêëèïî‗À§ÉÈÊôËÏûù¤ÔÜ¢£ÙÛƒ¦´óú¨¸³¯Î⌐¬½¼¾«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp865:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒáíóúñÑªº¿⌐¬½¼¡«¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
}

/** `IBM850`, `850` and `cp850` mean the same. */
function pageNamed(label: string): string | null {
  const digits = /^(?:cp|ibm|dos|oem)?[-_ ]?(\d{3})$/i.exec(label.trim())?.[1]
  const name = `cp${digits}`
  return Object.hasOwn(PAGES, name) ? name : null
}

/** Names that other programs have for encodings that the platform knows under another one. */
const ALIASES: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  'windows-932': 'shift_jis',
  cp936: 'gbk',
  ms936: 'gbk',
  'windows-936': 'gbk',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  uhc: 'euc-kr',
  cp950: 'big5',
  ms950: 'big5',
  'windows-950': 'big5',
  cp54936: 'gb18030',
  cp51932: 'euc-jp',
  cp20932: 'euc-jp',
  cp51949: 'euc-kr',
  cp10000: 'macintosh',
  macroman: 'macintosh',
  'mac-roman': 'macintosh',
  cp874: 'windows-874',
  cp20866: 'koi8-r',
  cp65001: 'utf-8',
  cp1200: 'utf-16le',
  cp1201: 'utf-16be',
  ansi: 'windows-1252',
}

/** The name of an encoding by any of its labels; null if there is none. */
export function encodingNamed(label: string): string | null {
  const written = label.trim().toLowerCase()
  const spellings = [written, written.replaceAll('_', '-'), written.replaceAll(/[-_ ]/g, '')]
  for (const spelling of spellings) {
    const named = pageNamed(spelling) ?? knownToPlatform(ALIASES[spelling] ?? spelling)
    if (named !== null) return named
  }
  return null
}

function knownToPlatform(label: string): string | null {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return null
  }
}

export interface PageDecoder {
  decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string
}

/** Decodes chunk by chunk; bytes that mean nothing throw, unless it forgives them. */
export function createPageDecoder(name: string, { isForgiving = false } = {}): PageDecoder {
  const high = PAGES[name]
  if (high === undefined) return new TextDecoder(name, { fatal: !isForgiving, ignoreBOM: true })
  return { decode: (bytes = new Uint8Array()) => decodeBytes(high, bytes) }
}

/** One byte per character: nothing is held back, and every byte can be read. */
function decodeBytes(high: string, bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) {
    text += byte < 0x80 ? String.fromCharCode(byte) : high[byte - 0x80]!
  }
  return text
}
