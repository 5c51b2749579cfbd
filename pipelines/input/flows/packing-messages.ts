import { compte, fr } from '../../core/language.ts'
import { defineMessages } from '../../core/message.ts'

/** Of files that are packed, by gzip or in an archive. */
export const packingMessages = defineMessages('packing', {
  expandsBytes: {
    en: ({ most }: { most: number }) => `The compressed file expands to more than ${most} bytes.`,
    fr: ({ most }) =>
      `Une fois décompressé, le fichier dépasse ${compte(most, 'octet', 'octets')}.`,
  },
  expandsTimes: {
    en: ({ times }: { times: number }) =>
      `The compressed file expands to more than ${times} times its size.`,
    fr: ({ times }) => `Une fois décompressé, le fichier dépasse ${times} fois sa taille.`,
  },
  followsGzip: {
    en: 'Something that is not gzip follows the gzip data.',
    fr: 'Les données gzip sont suivies de quelque chose qui n’est pas du gzip.',
  },
  cutShort: {
    en: 'The gzip data ends too early: the file was cut short.',
    fr: 'Les données gzip finissent trop tôt : le fichier a été tronqué.',
  },
  corrupt: {
    en: 'The gzip data is corrupt, or something that is not gzip follows it.',
    fr: 'Les données gzip sont abîmées, ou suivies de quelque chose qui n’est pas du gzip.',
  },
  packedTwice: {
    en: ({ member, packing }: { member: string; packing: string }) =>
      `The zip archive holds “${member}”, which is packed once more (${packing}): unpack it and send the file inside.`,
    fr: ({ member, packing }) =>
      fr`L’archive zip contient « ${member} », compressé encore une fois (${packing}) : décompressez-le et envoyez le fichier qui s’y trouve.`,
  },
  noFile: {
    en: 'The zip archive holds no file.',
    fr: 'L’archive zip ne contient aucun fichier.',
  },
  severalFiles: {
    en: ({ names, others }: { names: readonly string[]; others: number }) =>
      `The zip archive holds several files (${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}): send the one that is meant, alone.`,
    fr: ({ names, others }) =>
      fr`L’archive zip contient plusieurs fichiers (${names.join(', ')}${others > 0 ? ` et ${others} de plus` : ''}) : envoyez seul celui qui est voulu.`,
  },
})
