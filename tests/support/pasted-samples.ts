/** What programs put on the clipboard for one short text, written for these tests in the form that each of them uses. */
export interface PastedSample {
  program: string;
  html: string;
  markdown: string;
}

const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta name=Generator content="Microsoft Word 15">
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
<style><!-- /* Style Definitions */ p.MsoNormal {margin:0cm; font-family:"Calibri",sans-serif;} @list l0:level1 {mso-level-text:"\\B7";} --></style>
</head>
<body lang=EN-GB style='tab-interval:36.0pt'>
<!--StartFragment-->
<p class=MsoTitle>The winter market<o:p></o:p></p>
<h2>When we <span class=SpellE>open</span><o:p></o:p></h2>
<p class=MsoNormal>Dear all,<br>
the hall opens on <b style='mso-bidi-font-weight:normal'>Friday </b>at <i>ten</i>. See
<a href="https://market.example/map?day=5&amp;hall=2" style='mso-fareast-language:EN-GB'>the map</a>.<o:p></o:p></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>Bring a table<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;text-indent:-18.0pt;mso-list:l0 level2 lfo1'><!--[if !supportLists]--><span
style='font-family:"Courier New"'><span style='mso-list:Ignore'>o<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><!--[endif]-->of <b>5*3*2</b> feet<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>Bring change</p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span>Park</p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>2.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span>Unload</p>
<p class=MsoNormal><img width=640 height=480 src="file:///C:/Users/ada/AppData/Local/Temp/msohtmlclip1/01/clip_image002.jpg"># 1 of 2</p>
<!--EndFragment-->
</body></html>`;

const docs = `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1f">
<h1 dir="ltr" style="line-height:1.38;"><span style="font-size:20pt;font-family:Arial,sans-serif;font-weight:400;font-style:normal;">The winter market</span></h1>
<p dir="ltr" style="line-height:1.38;"><span style="font-weight:400;font-style:normal;white-space:pre-wrap;">The hall opens on </span><span style="font-weight:700;font-style:normal;">Friday</span><span style="font-weight:400;font-style:normal;"> at </span><span style="font-weight:400;font-style:italic;">ten</span><span style="font-weight:400;font-style:normal;">. See </span><a href="https://market.example/map" style="text-decoration:none;"><span style="color:#1155cc;font-weight:400;font-style:normal;text-decoration:underline;">the map</span></a><span style="font-weight:400;">.</span></p><br />
<ul style="margin-top:0;"><li dir="ltr" aria-level="1" style="list-style-type:disc;font-weight:400;"><p dir="ltr" role="presentation"><span style="font-weight:400;">Bring a table</span></p></li><ul style="margin-top:0;"><li dir="ltr" aria-level="2" style="list-style-type:circle;"><p dir="ltr" role="presentation"><span>of oak</span></p></li></ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>Bring change</span></p></li></ul>
<ol style="margin-top:0;" start="3"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>Park</span></p></li><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>Unload</span></p></li></ol>
<p dir="ltr"><span>snake_case and _this_<br class="kix-line-break">1. Not a list</span></p></b><br class="Apple-interchange-newline">`;

const notes = `<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"><title></title><meta name="Generator" content="Cocoa HTML Writer">
<style type="text/css">p.p1 {margin: 0.0px 0.0px 0.0px 0.0px; font: 28.0px '.AppleSystemUIFont'} span.s1 {font-weight: bold}</style></head>
<body><h1 style="margin: 0.0px; font: 28.0px '.AppleSystemUIFont'"><span class="s1"><b>The winter market</b></span><span class="s2"></span></h1>
<div><span style="font-size: 12px;">The hall opens on <b>Friday</b> at&nbsp;<i>ten</i>.</span></div><div><br></div>
<div>&gt; Bring a table</div>
<ul class="Apple-dash-list"><li>Wool<ul><li>red</li><li>blue</li></ul></li><li>Willow</li></ul>
<div><a href="https://market.example/map">the map</a>, <a href="http://old.example">the old site</a></div></body></html>`;

const web = `<meta charset="utf-8"><article class="post"><script>track()</script><style>.a{color:red}</style>
<h1>The winter market<a class="anchor" href="#top" aria-hidden="true" style="display:none">#</a></h1><h4>For stallholders</h4>
<p>The hall opens on <strong>Friday</strong> at <em>ten</em>&mdash;see <a href="https://market.example/a_(b)?x=1&amp;y=2" onclick="steal()">the map</a> or
<a href="mailto:hello@market.example?bcc=eve@evil.example">write to us</a>, <a href="javascript:alert(1)">not this</a>!</p>
<blockquote><p>It was a good day.</p><p>We <b>sold</b> all.</p></blockquote><hr>
<img src="data:image/png;base64,AAAA" alt="x"><img src="https://t.example/p.gif" width="1" height="1">
<figure><img src="https://market.example/stall.jpg" alt="A stall"></figure>
<ol><li>Park<p>behind the hall</p></li><li>Unload<br>your van</li></ol>
<table><tr><th>Day</th><th>Time</th></tr><tr><td>Friday</td><td>10 &amp; 11</td></tr></table>
<span style="display:none">utm</span><p>Tom & Jerry &lt;b&gt; [sic] \`x\` 3 * 4</p></article>`;

export const pastedSamples: PastedSample[] = [
  {
    program: "Word",
    html: word,
    markdown: `# The winter market

## When we open

Dear all,
the hall opens on **Friday** at *ten*. See [the map](https://market.example/map?day=5&hall=2).

- Bring a table
  - of **5\\*3\\*2** feet
- Bring change

1. Park
2. Unload

\\# 1 of 2`,
  },
  {
    program: "Google Docs",
    html: docs,
    markdown: `# The winter market

The hall opens on **Friday** at *ten*. See [the map](https://market.example/map).

- Bring a table
  - of oak
- Bring change

3. Park
4. Unload

snake_case and \\_this\\_
1\\. Not a list`,
  },
  {
    program: "Apple Notes",
    html: notes,
    markdown: `# The winter market

The hall opens on **Friday** at *ten*.

\\> Bring a table

- Wool
  - red
  - blue
- Willow

[the map](https://market.example/map), the old site`,
  },
  {
    program: "a web page",
    html: web,
    markdown: `# The winter market

**For stallholders**

The hall opens on **Friday** at *ten*—see [the map](https://market.example/a_%28b%29?x=1&y=2) or [write to us](mailto:hello@market.example), not this!

> It was a good day.
>
> We **sold** all.

---

![A stall](https://market.example/stall.jpg)

1. Park

   behind the hall

2. Unload
   your van

Day · Time

Friday · 10 & 11

Tom & Jerry \\<b> \\[sic\\] \\\`x\\\` 3 \\* 4`,
  },
];
