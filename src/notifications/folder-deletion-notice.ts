import { escapeHtml, type Notice } from './notice.ts'

export interface FolderDeletion {
  readonly folderName: string
  readonly enterpriseName: string
  readonly folderDeleted: boolean
  readonly deletedFolders: number
  readonly deletedDocuments: number
  readonly failedDocuments: number
  readonly durationMs: number
}

/** What the initiator of a long permanent deletion is told, in French. */
export function folderDeletionNotice(deletion: FolderDeletion): Notice {
  const { folderName, enterpriseName, folderDeleted, failedDocuments } = deletion
  const outcome = folderDeleted
    ? `Le dossier « ${folderName} » de l’entreprise « ${enterpriseName} » a été supprimé définitivement.`
    : `La suppression du dossier « ${folderName} » de l’entreprise « ${enterpriseName} » est incomplète.`
  const facts = [
    ['Dossiers supprimés', inFrench(deletion.deletedFolders)],
    ['Documents supprimés', inFrench(deletion.deletedDocuments)],
    ['Documents en échec', inFrench(failedDocuments)],
    ['Durée', durationInFrench(deletion.durationMs)],
  ] as const
  const advice = folderDeleted
    ? ''
    : 'Les fichiers en échec et leurs dossiers ont été conservés. Relancez la suppression pour traiter ce qui reste.'

  const paragraphs = ['Bonjour,', outcome, advice].filter((paragraph) => paragraph !== '')
  const closing = 'Ce message est envoyé automatiquement, merci de ne pas y répondre.'
  return {
    subject: `${folderDeleted ? 'Suppression terminée' : 'Suppression incomplète'} : ${folderName}`,
    text: [
      ...paragraphs,
      facts.map(([label, value]) => `- ${label} : ${value}`).join('\n'),
      closing,
      '',
    ].join('\n\n'),
    html: [
      '<!doctype html>',
      '<html lang="fr"><head><meta charset="utf-8"></head><body>',
      ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
      '<ul>',
      ...facts.map(([label, value]) => `<li>${label} : ${escapeHtml(value)}</li>`),
      '</ul>',
      `<p>${closing}</p>`,
      '</body></html>',
      '',
    ].join('\n'),
  }
}

const inFrench = (count: number) => count.toLocaleString('fr-FR')

const UNITS = [
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/** The two largest units that say something: `2 h 5 min`, `1 min 3 s`, `0 s`. */
function durationInFrench(durationMs: number): string {
  let seconds = Math.max(0, Math.round(durationMs / 1000))
  const parts: string[] = []
  for (const [unit, length] of UNITS) {
    const count = Math.floor(seconds / length)
    seconds -= count * length
    if (count > 0) parts.push(`${inFrench(count)} ${unit}`)
  }
  return parts.length === 0 ? '0 s' : parts.slice(0, 2).join(' ')
}
