/** What is said in a report, programs are told in words too: in English, as all that commands print. */
export async function jsonInWords(value: unknown): Promise<string> {
  const { Catalogue } = await import('../../pipelines/index.ts')
  return Catalogue.empty.json(value, 'en')
}
