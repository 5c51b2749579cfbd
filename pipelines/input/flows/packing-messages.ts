import { compte, fr } from '../../core/language.ts'
import { defineMessages } from '../../core/message.ts'

/** Messages about files that are packed, by gzip or in an archive. */
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
  damaged: {
    en: ({ noun, reason, cure }: { noun: string; reason: string; cure: string }) =>
      `The ${noun} is truncated or damaged (${reason}). ${cure}`,
    fr: ({ noun, reason, cure }) =>
      `Données tronquées ou abîmées dans ${noun} (${reason}). ${cure}`,
  },
  unusual: {
    en: ({
      noun,
      file,
      method,
      cure,
    }: {
      noun: string
      file: string
      method: number
      cure: string
    }) =>
      `The ${noun} packs ${file} in an unusual way (method ${method}), which is not supported. ${cure}`,
    fr: ({ noun, file, method, cure }) =>
      `Dans ${noun}, ${file} est compressé d’une façon inhabituelle (méthode ${method}), qui n’est pas prise en charge. ${cure}`,
  },
  manyFiles: {
    en: ({ noun, files, most }: { noun: string; files: number; most: number }) =>
      `The ${noun} holds ${files} files; at most ${most} are allowed.`,
    fr: ({ noun, files, most }) =>
      fr`Il y a ${compte(files, 'fichier', 'fichiers')} dans ${noun} ; au plus ${most} sont admis.`,
  },
  /** After “The” in English, and after “dans” in French. */
  zipArchive: { en: 'zip archive', fr: 'l’archive zip' },
  file: { en: 'file', fr: 'le fichier' },
  sendInside: {
    en: 'Send it again, or unpack it and send the file inside.',
    fr: 'Envoyez-la de nouveau, ou décompressez-la et envoyez le fichier qui s’y trouve.',
  },
  saveAnew: {
    en: 'Send it again, or open it in the program it comes from and save it again.',
    fr: 'Envoyez-le de nouveau, ou ouvrez-le dans le programme d’où il vient et enregistrez-le de nouveau.',
  },
  password: {
    en: 'The zip archive is protected by a password: unpack it and send the file inside.',
    fr: 'L’archive zip est protégée par un mot de passe : décompressez-la et envoyez le fichier qui s’y trouve.',
  },
  directory: {
    en: 'its directory cannot be read',
    fr: 'son répertoire ne peut pas être lu',
  },
  size: { en: 'its size is wrong', fr: 'sa taille est fausse' },
  checksum: { en: 'its checksum is wrong', fr: 'sa somme de contrôle est fausse' },
  longer: { en: 'it is longer than it says', fr: 'il est plus long qu’il ne l’indique' },
  outside: { en: 'it lies outside of the file', fr: 'il se trouve hors du fichier' },
  inflate: { en: 'it cannot be inflated', fr: 'il ne peut pas être décompressé' },
})
