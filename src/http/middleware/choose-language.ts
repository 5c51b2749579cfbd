import type { Context, Next } from 'koa'

import { type Language, LANGUAGES } from '../../../pipelines/index.ts'

/** What a caller accepts decides; where that is neither French nor English, the setting does. */
export function chooseLanguage(otherwise: Language) {
  const offered = [otherwise, ...LANGUAGES.filter((language) => language !== otherwise)]
  return (ctx: Context, next: Next): Promise<void> => {
    ctx.state['language'] = accepted(ctx, offered) || otherwise
    // The first to say what answers vary by.
    ctx.set('vary', 'accept-language')
    return next()
  }
}

/** A program mostly names none, and is not asked at length. */
const accepted = (ctx: Context, offered: Language[]) =>
  ctx.req.headers['accept-language'] !== undefined && ctx.acceptsLanguages(offered)

export const languageOf = (ctx: Context): Language => ctx.state['language'] as Language
