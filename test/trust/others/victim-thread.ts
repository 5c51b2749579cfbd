import { parentPort, workerData } from 'node:worker_threads'

import { createClient } from '../../support/client.ts'
import { experience, type Length, QUESTIONS_BESIDES, type QuestionBesides } from './victim.ts'

/** Who asks. */
export interface VictimIdentity {
  readonly address: string
  readonly authSecret: string
  readonly uuid: string
}

/** For how long, and what besides the small questions. */
export interface Asking {
  readonly besides: readonly QuestionBesides[]
  readonly length: Length
}

const { address, authSecret, uuid } = workerData as VictimIdentity
const victim = createClient(address, authSecret).as({ uuid })

parentPort!.on('message', ({ besides, length }: Asking) => {
  const questions = besides.map((name) => QUESTIONS_BESIDES[name])
  void experience(victim, questions, length).then((result) => parentPort!.postMessage(result))
})
