import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { EXAMPLE_DAY, recordExamples } from './record'

/*
 * Writes examples of each operation, as the portal calls the sandbox, to docs/broker-examples. SANDBOX_TODAY sets the day of the broker.
 * Without it the broker has the day of the committed examples, and the same code writes the same files.
 */
const FOLDER = 'docs/broker-examples'
const day = process.env.SANDBOX_TODAY?.slice(0, 10) || EXAMPLE_DAY
const examples = await recordExamples(day)
mkdirSync(FOLDER, { recursive: true })
for (const file of readdirSync(FOLDER)) if (file.endsWith('.json')) rmSync(`${FOLDER}/${file}`)
for (const [id, list] of examples) writeFileSync(`${FOLDER}/${id}.json`, `${JSON.stringify(list, null, '\t')}\n`)
process.stdout.write(`${examples.size} operations are in ${FOLDER}\n`)
process.exit(0)
