/** Reports for programs contain texts too: in English, like everything that commands print. */
export async function jsonInWords(value: unknown): Promise<string> {
  const { Catalogue } = await import('../../pipelines/index.ts')
  return Catalogue.empty.json(value, 'en')
}
