import { defineMessages } from './message.ts'

export const fileMessages = defineMessages('file', {
  empty: { en: 'The file is empty.', fr: 'Le fichier est vide.' },
  onlyWhiteSpace: {
    en: 'The file contains only white space.',
    fr: 'Le fichier ne contient que des blancs.',
  },
})
