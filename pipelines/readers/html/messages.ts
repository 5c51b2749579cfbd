import { compte } from '../../core/language.ts'
import { defineMessages } from '../../core/message.ts'

export const htmlMessages = defineMessages('html', {
  longTag: {
    en: 'The page has a tag or a comment that is too long.',
    fr: 'La page a une balise ou un commentaire trop long.',
  },
  longCell: {
    en: 'A cell of the page is too long.',
    fr: 'Une cellule de la page est trop longue.',
  },
  nested: {
    en: ({ most }: { most: number }) => `The page nests tables deeper than ${most}.`,
    fr: ({ most }) =>
      `La page imbrique des tableaux sur plus de ${compte(most, 'niveau', 'niveaux')}.`,
  },
})
