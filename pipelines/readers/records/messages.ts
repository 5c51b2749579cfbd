import { compte, fr } from '../../core/language.ts'
import { defineMessages } from '../../core/message.ts'

/** Messages about records from a connector. */
export const recordMessages = defineMessages('records', {
  wideForm: {
    en: ({ most }: { most: number }) => `The form has more than ${most} columns.`,
    fr: ({ most }) => `Le formulaire a plus de ${compte(most, 'colonne', 'colonnes')}.`,
  },
  wideRecords: {
    en: ({ most }: { most: number }) =>
      `The form, with what its records hold beside, has more than ${most} columns.`,
    fr: ({ most }) =>
      `Le formulaire, avec ce que ses enregistrements contiennent en plus, a plus de ${compte(most, 'colonne', 'colonnes')}.`,
  },
  noColumn: {
    en: 'There is no column: neither the form nor a record names one.',
    fr: 'Il n’y a pas de colonne : ni le formulaire ni un enregistrement n’en nomme.',
  },
  notUtf8: { en: 'the text is not UTF-8', fr: 'le texte n’est pas en UTF-8' },
  keyTwice: {
    en: ({ key }: { key: string }) => `the key “${key}” occurs twice`,
    fr: ({ key }) => fr`la clé « ${key} » y figure deux fois`,
  },
  keyMissing: {
    en: ({ key }: { key: string }) => `there is no “${key}” in it`,
    fr: ({ key }) => fr`il n’y a pas de « ${key} »`,
  },
  recordLacks: {
    en: ({ key }: { key: string }) => `the record has no “${key}”`,
    fr: ({ key }) => fr`l’enregistrement n’a pas de « ${key} »`,
  },
  misfit: {
    en: ({ found }: { found: string }) => `a record must be an object, not ${found}`,
    fr: ({ found }) => `un enregistrement doit être un objet, et non ${found}`,
  },
  arrayOfRecords: { en: 'an array of records', fr: 'un tableau d’enregistrements' },
  commaOrAfterRecord: {
    en: '“,” or “]” after a record',
    fr: '« , » ou « ] » après un enregistrement',
  },
})
