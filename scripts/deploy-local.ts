import { execFileSync } from 'node:child_process'
import { personas } from '#sandbox/db/seed/personas'
import { startDeployment, stopOnSignal } from './deployment/deployment'

/* `npm run deploy:local`: the deployment of deploy/compose.yaml without containers, on loopback, until Ctrl-C. */

execFileSync('node_modules/.bin/tsx', ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
const deployment = await startDeployment({ say: (line) => process.stdout.write(`${line}\n`) })
process.stdout.write(
	[
		'',
		`The portal is at ${deployment.url} (nginx, two processes, Redis), the sandbox broker behind it keeps its books in PostgreSQL.`,
		`Its certificate is ${deployment.front.certificateFile}: a browser asks whether to trust it.`,
		...personas.map(({ code, password }) => `  ${code} / ${password}`),
		'Ctrl-C ends all of it and removes what it wrote.',
		'',
	].join('\n'),
)
stopOnSignal(deployment)
