import { expect, BROKER, test } from './portal'
import { answering, SECRET, start, stopAll } from './process'
import { TextBrowser } from './text-browser'

/* The build is a normal Remix build: remix-serve runs it without the portal's own server. */

test.afterEach(stopAll)

test('the build runs under remix-serve', async () => {
	const origin = 'http://127.0.0.1:3115'
	const program = start(['node_modules/@remix-run/serve/dist/cli.js', 'build/server/index.js'], {
		PORT: '3115',
		HOST: '127.0.0.1',
		BROKER_URL: BROKER,
		SESSION_SECRET: SECRET,
		PUBLIC_URL: origin,
	})
	await answering(origin)
	const browser = new TextBrowser(origin)
	const page = await browser.send('/login')
	expect(page.status).toBe(200)
	expect(page.text).toContain('<h1>Login</h1>')
	expect(page.text).not.toMatch(/nonce="undefined"|undefined/)
	const script = /src="(\/assets\/[^"]+\.js)"|href="(\/assets\/[^"]+\.js)"/.exec(page.text)
	expect((await browser.send(script?.[1] ?? script?.[2] ?? '/no-script')).status).toBe(200)

	expect((await browser.login('NEW001')).status).toBe(303)
	const dashboard = await browser.send('/dashboard')
	expect(dashboard.status).toBe(200)
	expect(dashboard.text).toContain('<h1>Dashboard</h1>')
	expect(program.output()).not.toContain('Error')
})
