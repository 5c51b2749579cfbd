import { defineMessages } from './message.ts'

export const fileMessages = defineMessages('file', {
  empty: { en: 'The file is empty.', fr: 'Le fichier est vide.' },
  onlyWhiteSpace: {
    en: 'The file contains only white space.',
    fr: 'Le fichier ne contient que des blancs.',
  },
  expands: {
    en: 'The file expands to far more than a file of its size should hold.',
    fr: 'Le fichier contient, une fois déployé, bien plus que sa taille ne le laisse attendre.',
  },
})
