import { readFileSync } from 'node:fs'
import http from 'node:http'
import { getRequestListener } from '@hono/node-server'

/** A server that only sends the ready bytes and headers of a page. No page of this HTTP server can be faster. */
const [port, file = ''] = process.argv.slice(2)
const bytes = readFileSync(file)
const headers = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as [string, string][]

http.createServer(getRequestListener(() => new Response(bytes, { headers }))).listen(Number(port), '127.0.0.1')
