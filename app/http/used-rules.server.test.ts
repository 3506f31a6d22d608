import { expect, test } from 'vitest'
import { readRules, takeUsedRules } from './used-rules.server'

const take = (stylesheet: string, html: string) => takeUsedRules(readRules(stylesheet), html)

test.each([
	['a rule whose class the page has', '.a{color:red}.b{color:blue}', '<p class="b">', '.b{color:blue}'],
	['the selectors that can match', '.a,.b,p{color:red}', '<p class="a">', '.a,p{color:red}'],
	['a rule that needs two classes, with both', '.a .b>i{color:red}.a.c{color:red}', '<p class="b a">', '.a .b>i{color:red}'],
	['rules without a class', ':root{--x:1}*{margin:0}[hidden]{display:none}', '<p>', ':root{--x:1}*{margin:0}[hidden]{display:none}'],
	['a class in brackets, which an element may lack', 'p:not(.a),i:is(.b,.c){color:red}', '<p>', 'p:not(.a),i:is(.b,.c){color:red}'],
	['a state of a used class', '.a:hover:not(.b)::before{content:")"}', '<p class="a">', '.a:hover:not(.b)::before{content:")"}'],
	['a dot in an attribute', '[href=".x"] .a{color:red}', '<p class="a">', '[href=".x"] .a{color:red}'],
	['escaped names', '.w-1\\/2{width:50%}.\\32 xl{width:1px}', '<p class="w-1/2 2xl">', '.w-1\\/2{width:50%}.\\32 xl{width:1px}'],
	[
		'names that React escapes',
		'.\\[\\&\\>p\\]\\:m-1>p{margin:1px}.\\[\\&_\\(\\.x\\)\\]>p{margin:2px}',
		'<p class="[&amp;&gt;p]:m-1 [&amp;_(.x)]">',
		'.\\[\\&\\>p\\]\\:m-1>p{margin:1px}.\\[\\&_\\(\\.x\\)\\]>p{margin:2px}',
	],
	[
		'groups with used rules',
		'@media print{.a{color:red}.b{color:blue}}@media (width>1px){.b{x:y}}',
		'<p class="a">',
		'@media print{.a{color:red}}',
	],
	[
		'layers in their order, also empty ones',
		'@layer one,two;@layer two{.a{x:y}}@layer one{.b{x:y}}',
		'<p class="b">',
		'@layer one,two;@layer two{}@layer one{.b{x:y}}',
	],
	[
		'key frames and properties',
		'@keyframes k{0%{x:y}to{x:z}}@property --p{syntax:"*"}',
		'<p>',
		'@keyframes k{0%{x:y}to{x:z}}@property --p{syntax:"*"}',
	],
])('takes %s', (_, stylesheet, html, taken) => {
	expect(take(stylesheet, html)).toBe(taken)
})

test('takes nothing that would end the style element', () => {
	expect(take('.a{color:red}', '<p class="&lt;/style&gt;&lt;script&gt;">')).toBe('')
})
