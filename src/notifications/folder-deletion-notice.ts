import { Duration } from 'luxon'

import { defineMessages, fr, type Language, type Message } from '../../pipelines/index.ts'
import { type Notice, writeNotice } from './notice.ts'

interface FolderDeletion {
  readonly folderName: string
  readonly enterpriseName: string
  readonly folderDeleted: boolean
  readonly deletedFolders: number
  readonly deletedDocuments: number
  readonly failedDocuments: number
  readonly durationMs: number
}

interface Names {
  readonly folder: string
  readonly enterprise: string
}

export const noticeMessages = defineMessages('deletion-notice', {
  greeting: { en: 'Hello,', fr: 'Bonjour,' },
  deletedSubject: {
    en: ({ folder }: { folder: string }) => `Deletion finished: ${folder}`,
    fr: ({ folder }) => fr`Suppression terminée : ${folder}`,
  },
  incompleteSubject: {
    en: ({ folder }: { folder: string }) => `Deletion incomplete: ${folder}`,
    fr: ({ folder }) => fr`Suppression incomplète : ${folder}`,
  },
  deleted: {
    en: ({ folder, enterprise }: Names) =>
      `The folder “${folder}” of the enterprise “${enterprise}” was permanently deleted.`,
    fr: ({ folder, enterprise }) =>
      fr`Le dossier « ${folder} » de l’entreprise « ${enterprise} » a été supprimé définitivement.`,
  },
  incomplete: {
    en: ({ folder, enterprise }: Names) =>
      `The deletion of the folder “${folder}” of the enterprise “${enterprise}” is incomplete.`,
    fr: ({ folder, enterprise }) =>
      fr`La suppression du dossier « ${folder} » de l’entreprise « ${enterprise} » est incomplète.`,
  },
  advice: {
    en: 'The files that could not be deleted were kept, with their folders. Start the deletion again to go on with what is left.',
    fr: 'Les fichiers en échec et leurs dossiers ont été conservés. Relancez la suppression pour traiter ce qui reste.',
  },
  fact: {
    en: ({ label, value }: { label: string; value: string }) => `${label}: ${value}`,
    fr: ({ label, value }) => fr`${label} : ${value}`,
  },
  folders: { en: 'Folders deleted', fr: 'Dossiers supprimés' },
  documents: { en: 'Documents deleted', fr: 'Documents supprimés' },
  failed: { en: 'Documents that could not be deleted', fr: 'Documents en échec' },
  duration: { en: 'Duration', fr: 'Durée' },
  closing: {
    en: 'This message was sent automatically; please do not reply.',
    fr: 'Ce message est envoyé automatiquement, merci de ne pas y répondre.',
  },
})

/** The mail to the person who began a long permanent deletion. */
export function folderDeletionNotice(deletion: FolderDeletion, language: Language): Notice {
  const say = (message: Message) => message.in(language)
  const counted = (count: number) => count.toLocaleString(language)
  const { folderName: folder, enterpriseName: enterprise, folderDeleted } = deletion
  const told = noticeMessages
  const fact = (label: Message, value: string) => say(told.fact({ label, value }))

  const paragraphs = [
    told.greeting(),
    (folderDeleted ? told.deleted : told.incomplete)({ folder, enterprise }),
    ...(folderDeleted ? [] : [told.advice()]),
  ].map(say)
  const facts = [
    fact(told.folders(), counted(deletion.deletedFolders)),
    fact(told.documents(), counted(deletion.deletedDocuments)),
    fact(told.failed(), counted(deletion.failedDocuments)),
    fact(told.duration(), duration(deletion.durationMs, counted)),
  ]
  return writeNotice(language, {
    subject: say((folderDeleted ? told.deletedSubject : told.incompleteSubject)({ folder })),
    paragraphs,
    facts,
    closing: [say(told.closing())],
  })
}

const UNITS = [
  ['hours', 'h'],
  ['minutes', 'min'],
  ['seconds', 's'],
] as const

/** The two largest units that are not zero: `2 h 5 min`, `1 min 3 s`, `0 s`. */
function duration(durationMs: number, counted: (count: number) => string): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000))
  const lasted = Duration.fromObject({ seconds }).shiftTo('hours', 'minutes', 'seconds')
  const parts = UNITS.filter(([unit]) => lasted[unit] > 0)
    .slice(0, 2)
    .map(([unit, shown]) => `${counted(lasted[unit])} ${shown}`)
  return parts.length === 0 ? '0 s' : parts.join(' ')
}
