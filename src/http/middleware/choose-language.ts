import type { Context, Next } from 'koa'

import { type Language, LANGUAGES } from '../../../pipelines/index.ts'

/**
 * Uses the language that the caller accepts; if that is neither French nor English, the default of
 * the settings.
 */
export function chooseLanguage(otherwise: Language) {
  const offered = [otherwise, ...LANGUAGES.filter((language) => language !== otherwise)]
  return (ctx: Context, next: Next): Promise<void> => {
    ctx.state['language'] = accepted(ctx, offered) || otherwise
    // This is the first middleware that says what answers vary by.
    ctx.set('vary', 'accept-language')
    return next()
  }
}

/** Programs usually send no languages, so the full negotiation is skipped for them. */
const accepted = (ctx: Context, offered: Language[]) =>
  ctx.req.headers['accept-language'] !== undefined && ctx.acceptsLanguages(offered)

export const languageOf = (ctx: Context): Language => ctx.state['language'] as Language
