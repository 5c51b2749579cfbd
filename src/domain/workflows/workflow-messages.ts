import { defineMessages } from '../../../pipelines/index.ts'

export const workflowMessages = defineMessages('workflow', {
  otherSourceType: {
    en: ({ sourceType }: { sourceType: string }) =>
      `does not go with the source type ${sourceType}`,
    fr: ({ sourceType }) => `ne va pas avec le type de source ${sourceType}`,
  },
})
