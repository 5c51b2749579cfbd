import { Brand } from '../components/brand.js'
import { DoorPicture } from '../components/door-picture.js'
import { Preferences } from '../components/frame.js'
import { Problem } from '../components/problem.js'
import { TextField } from '../components/field.js'
import { post } from '../core/api.js'
import { t } from '../core/language.js'
import { useDeed } from '../core/loading.js'
import { openSession, sessionEnd } from '../core/session.js'
import { html, useEffect, useState } from '../core/ui.js'

export default function SignIn() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { isBusy, problem, attempt } = useDeed()
  useEffect(() => {
    document.title = t('product')
  }, [])
  const submit = async (event) => {
    event.preventDefault()
    await attempt(async () => openSession(await post('/auth/login', { email, password })))
  }
  return html`<main class="door">
    <section class="door-about">
      <${Brand} />
      <div>
        <${DoorPicture} />
        <p><strong>${t('signIn.what')}</strong> <span class="soft">${t('signIn.how')}</span></p>
      </div>
      <span></span>
    </section>
    <div class="door-in">
      <form class="form" onSubmit=${submit}>
        <h1>${t('signIn')}</h1>
        ${sessionEnd.value && html`<p class="notice warn" role="status">${t('sessionExpired')}</p>`}
        <${TextField}
          label=${t('email')}
          type="email"
          name="email"
          autocomplete="username"
          required
          value=${email}
          onInput=${setEmail}
        />
        <${TextField}
          label=${t('password')}
          type="password"
          name="password"
          autocomplete="current-password"
          required
          value=${password}
          onInput=${setPassword}
        />
        <${Problem} problem=${problem} />
        <button type="submit" class="primary" disabled=${isBusy}>${t('signIn')}</button>
      </form>
      <div class="row"><${Preferences} /></div>
    </div>
  </main>`
}
