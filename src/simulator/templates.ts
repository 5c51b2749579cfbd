import * as a from './answers.ts'
import { DAYS_OF_WEEK, SERVICES } from './words.ts'

/** A question of a form or card. A removed one still has answers, but is no longer a column. */
export interface Question {
  readonly key: string
  readonly label: string | null
  readonly type: string
  readonly answer: a.Answer
  readonly removed?: boolean
}

export interface Template {
  readonly title: string
  readonly publicationStatus: string
  readonly questions: readonly Question[]
}

const q = (key: string, label: string | null, type: string, answer: a.Answer): Question => ({
  key,
  label,
  type,
  answer,
})
const removed = (key: string, answer: a.Answer): Question => ({
  ...q(key, null, 'text', answer),
  removed: true,
})

const person = [
  q('nom', 'Nom', 'text', a.lastName),
  q('prenom', 'Prénom', 'text', a.firstName),
  q('courriel', 'Courriel', 'email', a.sometimes(a.email, 90)),
]

export const FORM_TEMPLATES: readonly Template[] = [
  {
    title: "Demande d'intervention technique",
    publicationStatus: 'PUBLISHED',
    questions: [
      ...person,
      q('tel', 'Téléphone', 'phone', a.sometimes(a.phone, 80)),
      q('services', 'Services concernés', 'multiple_choice', a.someOf(SERVICES)),
      q('souhaitee', 'Date souhaitée', 'date', a.dateByHand),
      q('urgence', 'Urgence', 'choice', a.oneOf(['Basse', 'Normale', 'Élevée'])),
      q('photos', 'Photos', 'file', a.attachments),
      q('remarques', 'Remarques', 'long_text', a.remark),
      q('interne', 'Réservé au service', 'text', a.never),
      removed('ancien_code', a.sometimes(a.postcode, 5)),
    ],
  },
  {
    title: 'Note de frais',
    publicationStatus: 'PUBLISHED',
    questions: [
      ...person,
      q('engagee', 'Engagée le', 'date', a.dayFirstDate),
      q('montant', 'Montant TTC', 'number', a.decimalWithComma),
      q('montant2', 'Montant TTC', 'number', a.orElse(a.decimalWithComma, 95, 'N/A')),
      q('km', 'Kilomètres', 'number', a.wholeNumber(0, 900)),
      q('rembourse', 'Remboursé', 'boolean', a.yesOrNo),
      q('justificatifs', 'Justificatifs', 'file', a.attachments),
      q('commentaire', '', 'long_text', a.remark),
    ],
  },
  {
    title: 'Enquête de satisfaction',
    publicationStatus: 'CLOSED',
    questions: [
      q('horodatage', 'Répondu le', 'datetime', a.isoWithZone),
      q('note', 'Note sur 10', 'number', a.wholeNumber(0, 10)),
      q('recommande', 'Recommanderiez-vous ?', 'boolean', a.trueOrFalse),
      q('jours', 'Jours préférés', 'multiple_choice', a.someOf(DAYS_OF_WEEK)),
      q('libre', '   ', 'long_text', a.remark),
      q('libre2', null, 'long_text', a.sometimes(a.remark, 30)),
    ],
  },
  {
    title: 'Inscription à la formation',
    publicationStatus: 'PUBLISHED',
    questions: [
      ...person,
      q('naissance', 'Né(e) le', 'date', a.plainDate),
      q('adresse', 'Adresse', 'address', a.address),
      q('codepostal', 'Code postal', 'text', a.postcode),
      q('session', 'Session', 'datetime', a.dottedDateTime),
      q('accord', 'Règlement accepté', 'boolean', a.trueOrFalse),
    ],
  },
  {
    title: 'Déclaration d’accident du travail',
    publicationStatus: 'PUBLISHED',
    questions: [
      ...person,
      q('survenu', 'Survenu le', 'datetime', a.isoWithZone),
      q('lieu', 'Lieu', 'text', a.city),
      q('arret', 'Jours d’arrêt', 'number', a.sometimes(a.wholeNumber(0, 60), 70)),
      q('temoins', 'Témoins', 'multiple_choice', a.someOf(['Collègue', 'Client', 'Passant'])),
      q('recit', 'Récit', 'long_text', a.remark),
    ],
  },
  {
    title: 'Formulaire en préparation',
    publicationStatus: 'DRAFT',
    questions: [],
  },
]

export const CARD_TEMPLATES: readonly Template[] = [
  {
    title: 'Fiche équipement',
    publicationStatus: 'PUBLISHED',
    questions: [
      q('reference', 'Référence', 'text', a.postcode),
      q('service', 'Service', 'choice', a.oneOf(SERVICES)),
      q('achat', "Date d'achat", 'date', a.dayFirstDate),
      q('prix', "Prix d'achat", 'number', a.decimalWithComma),
      q('notice', 'Notice', 'file', a.attachments),
      q('site', 'Site', 'address', a.address),
    ],
  },
  {
    title: 'Fiche bénéficiaire',
    publicationStatus: 'PUBLISHED',
    questions: [
      ...person,
      q('entree', 'Entrée', 'date', a.dateByHand),
      q('sortie', 'Sortie', 'date', a.never),
      q('actif', 'Actif', 'boolean', a.yesOrNo),
      removed('ancien_statut', a.sometimes(a.yesOrNo, 10)),
    ],
  },
  {
    title: 'Fiche visite de chantier',
    publicationStatus: 'DRAFT',
    questions: [
      q('visite', 'Visite du', 'datetime', a.dottedDateTime),
      q('ville', 'Ville', 'text', a.city),
      q('reserves', 'Réserves', 'number', a.wholeNumber(0, 25)),
      q('photos', 'Photos', 'file', a.attachments),
      q('avis', 'Avis', 'choice', a.oneOf(['Favorable', 'Défavorable', 'Sans avis'])),
    ],
  },
]
