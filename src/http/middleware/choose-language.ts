import type { Context, Next } from 'koa'

import { type Language, LANGUAGES } from '../../../pipelines/index.ts'

/** What a caller accepts decides; where that is neither French nor English, the setting does. */
export function chooseLanguage(otherwise: Language) {
  const offered = [otherwise, ...LANGUAGES.filter((language) => language !== otherwise)]
  return async (ctx: Context, next: Next): Promise<void> => {
    const chosen = ctx.acceptsLanguages(offered)
    ctx.state['language'] = chosen === false ? otherwise : chosen
    ctx.vary('accept-language')
    await next()
  }
}

export const languageOf = (ctx: Context): Language => ctx.state['language'] as Language
