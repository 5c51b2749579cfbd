import { html } from '../core/ui.js'

/** What is known of something, as `[words, value]`; nothing stands for what does not apply. */
export const Facts = ({ of: facts }) =>
  html`<dl class="facts">
    ${facts.filter(Boolean).map(
      ([words, value]) =>
        html`<div>
          <dt>${words}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
