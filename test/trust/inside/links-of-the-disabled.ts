import { expect } from 'chai'

import { formOf } from '../../support/uploads.ts'
import type { Intrusion } from './intrusion.ts'

/** What was signed for somebody is used after they were shut out. */
export const linksOfTheDisabled: Intrusion = {
  name: 'a part link and a download link, after their user was disabled',
  async attempt({ world }) {
    const user = await world.build.user()
    const as = world.client.as(user)
    const upload = await as.post('/documents/uploads', { filename: 'a.csv', size: 5 })
    expect(upload.status, upload.text).to.equal(201)
    const document = await as.request('POST', '/documents', formOf('b.csv', 'a;b\n'))
    const link = await as.get(`/documents/${document.body.uuid}/download`)
    expect(link.status, link.text).to.equal(200)
    const boss = world.client.as(world.people.superAdmin)
    expect((await boss.patch(`/users/${user.uuid}`, { disabled: true })).status).to.equal(200)
    const sent = await fetch(upload.body.parts[0].url, { method: 'PUT', body: 'hello' })
    expect(sent.status, 'the part').to.equal(403)
    expect((await fetch(link.body.url)).status, 'the download').to.equal(403)
  },
}
