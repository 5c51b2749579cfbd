import { DateTime } from 'luxon'

import { defineMessages, fr, type Language, type Message } from '../../pipelines/index.ts'
import { type Notice, writeNotice } from './notice.ts'

/** What senders of a collection are told. */
interface CollectionNotice {
  readonly senderName: string
  readonly collectionName: string
  readonly enterpriseName: string
  readonly told: Told
}

/** `link` lets the sender in, without an account; null: nothing is taken any more. */
type Told =
  | {
      readonly kind: 'invitation' | 'reminder' | 'late'
      /** What the enterprise says of the collection. */
      readonly message: string | null
      readonly periods: readonly string[]
      readonly deadline: Date | null
      readonly link: string | null
    }
  | {
      readonly kind: 'received'
      readonly file: SentFile
      readonly rows: number
      readonly receipt: string
    }
  | {
      readonly kind: 'returned'
      readonly file: SentFile
      /** Why, in the language of the mail. */
      readonly reason: string
      readonly link: string | null
    }

interface SentFile {
  readonly filename: string
  readonly period: string | null
  readonly receivedAt: Date
}

interface Names {
  readonly enterprise: string
  readonly collection: string
}

type NamesOfFile = Names & { readonly filename: string }

export const collectionNoticeMessages = defineMessages('collection-notice', {
  invitationSubject: {
    en: ({ collection }: { collection: string }) => `File awaited: ${collection}`,
    fr: ({ collection }) => fr`Fichier attendu : ${collection}`,
  },
  reminderSubject: {
    en: ({ collection }: { collection: string }) => `Reminder: ${collection}`,
    fr: ({ collection }) => fr`Rappel : ${collection}`,
  },
  lateSubject: {
    en: ({ collection }: { collection: string }) => `Late: ${collection}`,
    fr: ({ collection }) => fr`En retard : ${collection}`,
  },
  receivedSubject: {
    en: ({ collection }: { collection: string }) => `Received: ${collection}`,
    fr: ({ collection }) => fr`Bien reçu : ${collection}`,
  },
  returnedSubject: {
    en: ({ collection }: { collection: string }) => `To be sent again: ${collection}`,
    fr: ({ collection }) => fr`À renvoyer : ${collection}`,
  },
  greeting: {
    en: ({ name }: { name: string }) => `Hello ${name},`,
    fr: ({ name }) => fr`Bonjour ${name},`,
  },
  invitation: {
    en: ({ enterprise, collection }: Names) =>
      `${enterprise} asks you for a file for “${collection}”. You need no account.`,
    fr: ({ enterprise, collection }) =>
      fr`${enterprise} vous demande un fichier pour « ${collection} ». Aucun compte n’est nécessaire.`,
  },
  reminder: {
    en: ({ enterprise, collection }: Names) =>
      `${enterprise} still awaits your file for “${collection}”.`,
    fr: ({ enterprise, collection }) =>
      fr`${enterprise} attend encore votre fichier pour « ${collection} ».`,
  },
  late: {
    en: ({ enterprise, collection }: Names) =>
      `The deadline has passed, and ${enterprise} does not have your file for “${collection}”.`,
    fr: ({ enterprise, collection }) =>
      fr`L’échéance est passée, et ${enterprise} n’a pas votre fichier pour « ${collection} ».`,
  },
  closed: {
    en: ({ enterprise }: { enterprise: string }) =>
      `Files are not taken any more: please get in touch with ${enterprise}.`,
    fr: ({ enterprise }) =>
      fr`Les fichiers ne sont plus acceptés : veuillez contacter ${enterprise}.`,
  },
  received: {
    en: ({ enterprise, collection, filename }: NamesOfFile) =>
      `${enterprise} has received your file “${filename}” for “${collection}”. Keep the receipt below: it proves what you have sent.`,
    fr: ({ enterprise, collection, filename }) =>
      fr`${enterprise} a bien reçu votre fichier « ${filename} » pour « ${collection} ». Conservez le récépissé ci-dessous : il prouve ce que vous avez envoyé.`,
  },
  returned: {
    en: ({ enterprise, collection, filename }: NamesOfFile) =>
      `${enterprise} has returned your file “${filename}” for “${collection}”, and asks you to send it again:`,
    fr: ({ enterprise, collection, filename }) =>
      fr`${enterprise} vous renvoie votre fichier « ${filename} » pour « ${collection} », et vous demande de l’envoyer à nouveau :`,
  },
  send: { en: 'Send your file here', fr: 'Envoyez votre fichier ici' },
  yours: {
    en: 'This link is yours alone: whoever has it can send files in your name.',
    fr: 'Ce lien vous est personnel : quiconque le possède peut envoyer des fichiers en votre nom.',
  },
  fact: {
    en: ({ label, value }: { label: string; value: string }) => `${label}: ${value}`,
    fr: ({ label, value }) => fr`${label} : ${value}`,
  },
  period: { en: 'For', fr: 'Pour' },
  deadline: { en: 'Deadline', fr: 'Échéance' },
  rows: { en: 'Rows taken', fr: 'Lignes prises' },
  receivedAt: { en: 'Received', fr: 'Reçu le' },
  closing: {
    en: 'This message was sent automatically; please do not reply.',
    fr: 'Ce message est envoyé automatiquement, merci de ne pas y répondre.',
  },
})

export function collectionNotice(notice: CollectionNotice, language: Language): Notice {
  const say = (message: Message) => message.in(language)
  const said = collectionNoticeMessages
  const { senderName: name, collectionName: collection, enterpriseName: enterprise, told } = notice
  const facts = (list: readonly (readonly [label: Message, value: string | null])[]) =>
    list.flatMap(([label, value]) =>
      value === null ? [] : say(said.fact({ label: say(label), value })),
    )
  const day = (at: Date | null) => (at === null ? null : instant(at, language))
  const common = {
    subject: say(said[`${told.kind}Subject`]({ collection })),
    closing: [say(said.closing())],
  }
  const greeting = say(said.greeting({ name }))
  const linkTo = (address: string | null) =>
    address === null
      ? { closing: [say(said.closed({ enterprise })), ...common.closing] }
      : {
          link: { text: say(said.send()), address },
          closing: [say(said.yours()), ...common.closing],
        }
  switch (told.kind) {
    case 'received': {
      const { filename, period, receivedAt } = told.file
      return writeNotice(language, {
        ...common,
        paragraphs: [greeting, say(said.received({ enterprise, collection, filename }))],
        facts: facts([
          [said.period(), period],
          [said.receivedAt(), day(receivedAt)],
          [said.rows(), told.rows.toLocaleString(language)],
        ]),
        closing: [told.receipt, ...common.closing],
      })
    }
    case 'returned': {
      const { filename, period, receivedAt } = told.file
      const opening = say(said.returned({ enterprise, collection, filename }))
      return writeNotice(language, {
        ...common,
        paragraphs: [greeting, opening, told.reason],
        facts: facts([
          [said.period(), period],
          [said.receivedAt(), day(receivedAt)],
        ]),
        ...linkTo(told.link),
      })
    }
    case 'invitation':
    case 'reminder':
    case 'late': {
      const opening = say(said[told.kind]({ enterprise, collection }))
      return writeNotice(language, {
        ...common,
        paragraphs: [greeting, opening, ...(told.message === null ? [] : [told.message])],
        facts: facts([
          [said.period(), told.periods.length === 0 ? null : told.periods.join(', ')],
          [said.deadline(), day(told.deadline)],
        ]),
        ...linkTo(told.link),
      })
    }
  }
}

/** Nobody has said on whose clocks, so the zone is named. */
const instant = (at: Date, language: Language): string =>
  DateTime.fromJSDate(at, { zone: 'UTC' })
    .setLocale(language)
    .toLocaleString(DateTime.DATETIME_FULL)
