import { createClient } from '../../support/client.ts'
import { experience, type Length, QUESTIONS_BESIDES, type QuestionBesides } from './victim.ts'

/** For how long, and what besides the small questions. */
export interface Asking {
  readonly besides: readonly QuestionBesides[]
  readonly length: Length
}

const [address = '', authSecret = '', uuid = ''] = process.argv.slice(2)
const victim = createClient(address, authSecret).as({ uuid })

process.on('message', ({ besides, length }: Asking) => {
  const questions = besides.map((name) => QUESTIONS_BESIDES[name])
  void experience(victim, questions, length).then((result) => process.send!(result))
})
