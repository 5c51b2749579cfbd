import type { World } from './world.ts'

/** One thing of each kind that exists, by the first word of its address. */
export async function populate({ build, people, forms }: World): Promise<Map<string, string>> {
  const things = new Map<string, string>()
  const connection = await build.connection({
    enterprise: people.enterprise,
    baseUrl: forms.url,
    apiKey: forms.apiKey,
  })
  things.set('connections', connection.uuid)
  return things
}
