/*
 * HTML that programs put on the clipboard. Repetitions are shortened.
 */

/** A heading, a list and a table of Word for Windows, with a picture in the writer's folder. */
export const fromWord = `<html xmlns:v="urn:schemas-microsoft-com:vml"
xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word"
xmlns:m="http://schemas.microsoft.com/office/2004/12/omml"
xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv=Content-Type content="text/html; charset=utf-8">
<meta name=ProgId content=Word.Document>
<meta name=Generator content="Microsoft Word 15">
<meta name=Originator content="Microsoft Word 15">
<link rel=File-List href="file:///C:/Users/ana/AppData/Local/Temp/msohtmlclip1/01/clip_filelist.xml">
<link rel=themeData href="https://office.remote.test/themedata.thmx">
<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml><![endif]-->
<style>
<!--
 @import url("https://office.remote.test/fonts.css");
 /* Style Definitions */
 p.MsoNormal, li.MsoNormal, div.MsoNormal
	{mso-style-unhide:no;
	margin:0cm;
	mso-pagination:widow-orphan;
	font-size:11.0pt;
	font-family:"Calibri",sans-serif;
	mso-fareast-language:EN-US;}
 @page WordSection1 {size:595.3pt 841.9pt; margin:72.0pt 72.0pt 72.0pt 72.0pt;}
 div.WordSection1 {page:WordSection1;}
 @list l0 {mso-list-id:1034620498; mso-list-type:hybrid;}
 @list l0:level1 {mso-level-number-format:bullet; mso-level-text:\\F0B7; font-family:Symbol;}
-->
</style>
<!--[if gte mso 10]><style>table.MsoNormalTable {mso-style-name:"Table Normal";}</style><![endif]-->
</head>
<body lang=EN-GB style='tab-interval:36.0pt;word-wrap:break-word'>
<!--StartFragment-->
<h1 style='mso-outline-level:1'><span style='color:#C00000'>Lots of November<o:p></o:p></span></h1>
<p class=MsoNormal><b>Two</b> lots are <span style='background:yellow;mso-highlight:yellow'>ready</span>.<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol;mso-fareast-font-family:Symbol;mso-bidi-font-family:Symbol'><span style='mso-list:Ignore'>·<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>Combed<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol;mso-fareast-font-family:Symbol;mso-bidi-font-family:Symbol'><span style='mso-list:Ignore'>·<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>Carded<o:p></o:p></p>
<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;border:none;mso-border-alt:solid windowtext .5pt;mso-yfti-tbllook:1184'>
 <tr style='mso-yfti-irow:0;mso-yfti-firstrow:yes'>
  <td width=301 valign=top style='width:225.4pt;border:solid windowtext 1.0pt;mso-border-alt:solid windowtext .5pt;padding:0cm 5.4pt 0cm 5.4pt'>
  <p class=MsoNormal>Lot<o:p></o:p></p></td>
  <td width=301 valign=top style='width:225.4pt;border:solid windowtext 1.0pt;border-left:none;padding:0cm 5.4pt 0cm 5.4pt'>
  <p class=MsoNormal>Bales<o:p></o:p></p></td>
 </tr>
 <tr style='mso-yfti-irow:1;mso-yfti-lastrow:yes'>
  <td width=301 valign=top style='width:225.4pt;border:solid windowtext 1.0pt;border-top:none;padding:0cm 5.4pt 0cm 5.4pt'>
  <p class=MsoNormal>7<o:p></o:p></p></td>
  <td width=301 valign=top style='width:225.4pt;border-bottom:solid windowtext 1.0pt;padding:0cm 5.4pt 0cm 5.4pt'>
  <p class=MsoNormal>40<o:p></o:p></p></td>
 </tr>
</table>
<p class=MsoNormal><!--[if gte vml 1]><v:shape id="_x0000_i1025" type="#_x0000_t75"><v:imagedata src="file:///C:/Users/ana/clip_image001.png" o:href="https://office.remote.test/logo.png"/></v:shape><![endif]--><![if !vml]><img
width=40 height=40 src="file:///C:/Users/ana/AppData/Local/Temp/msohtmlclip1/01/clip_image001.png" v:shapes="_x0000_i1025"><![endif]><o:p></o:p></p>
<!--EndFragment-->
</body>
</html>`;

/** Two lines of Visual Studio Code. */
export const fromCode = `<meta charset='utf-8'><div style="color: #d4d4d4;background-color: #1e1e1e;font-family: Consolas,
'Courier New', monospace;font-weight: normal;font-size: 14px;line-height: 19px;white-space: pre;"><div><span
style="color: #569cd6;">for</span><span style="color: #d4d4d4;"> lot </span><span style="color: #569cd6;">in</span> lots:</div><div><span
style="color: #d4d4d4;">    </span><span style="color: #c586c0;">print</span>(lot)  <span style="color: #6a9955;"># one</span></div></div>`;

/** Four cells of Excel for Windows, whose styles are in classes. */
export const fromExcel = `<html xmlns:v="urn:schemas-microsoft-com:vml"
xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:x="urn:schemas-microsoft-com:office:excel"
xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv=Content-Type content="text/html; charset=utf-8">
<meta name=ProgId content=Excel.Sheet>
<meta name=Generator content="Microsoft Excel 15">
<link id=Main-File rel=Main-File href="file:///C:/Users/ana/AppData/Local/Temp/msohtmlclip1/01/clip.htm">
<style>
<!--table
	{mso-displayed-decimal-separator:"\\.";
	mso-displayed-thousand-separator:"\\,";}
@page {margin:.75in .7in .75in .7in;}
tr {mso-height-source:auto;}
col {mso-width-source:auto;}
td {padding-top:1px; padding-right:1px; padding-left:1px; mso-ignore:padding; color:black; font-size:11.0pt;
	font-family:Calibri, sans-serif; vertical-align:bottom; border:none; white-space:nowrap;}
.xl65 {font-weight:700; background:#FFF2CC; mso-pattern:black none;}
.xl66 {mso-number-format:"\\#\\,\\#\\#0\\.00"; text-align:right;}
-->
</style>
</head>
<body link="#0563C1" vlink="#954F72">
<table border=0 cellpadding=0 cellspacing=0 width=128 style='border-collapse:collapse;width:96pt'>
<!--StartFragment-->
 <col width=64 span=2 style='width:48pt'>
 <tr height=20 style='height:15.0pt'>
  <td height=20 class=xl65 width=64 style='height:15.0pt;width:48pt'>Lot</td>
  <td class=xl65 width=64 style='border-left:none;width:48pt'>Price</td>
 </tr>
 <tr height=20 style='height:15.0pt'>
  <td height=20 align=right style='height:15.0pt'>7</td>
  <td class=xl66 x:num="1204.5">1,204.50</td>
 </tr>
<!--EndFragment-->
</table>
</body>
</html>`;

/** A part of a malicious page, as Chrome copies it. */
export const fromWeb = `<html>
<body>
<!--StartFragment--><meta charset='utf-8'><article class="post" id="main" data-track="9"
style="box-sizing: border-box; color: rgb(36, 41, 47); font-family: -apple-system, &quot;Segoe UI&quot;; background-image: url(&quot;https://tracker.remote.test/style.png&quot;); position: fixed; top: 0px;"><h2
style="font-weight: 600; font-size: 1.5em;">Wool prices</h2><p onclick="window.ran = 1">See <a href="https://remote.test/prices" ping="https://tracker.remote.test/ping">all prices</a> or <a
href="javascript:window.ran = 1">run</a>.</p><table><thead><tr><th>Kind</th><th>Price</th></tr></thead><tbody><tr><td>Merino</td><td>12</td></tr></tbody></table><img
src="https://tracker.remote.test/pixel.gif" srcset="https://tracker.remote.test/2x.gif 2x" width="1" alt="Chart" onload="window.ran = 1"><video
src="https://tracker.remote.test/film.mp4" poster="https://tracker.remote.test/poster.png" autoplay></video><iframe
src="https://tracker.remote.test/frame"></iframe><svg><script>window.ran = 1</script></svg><form action="https://tracker.remote.test/form"><input
name="password"><button>Go</button></form><script>window.ran = 1</script><style>@import "https://tracker.remote.test/x.css"; p { color: red }</style></article><!--EndFragment-->
</body>
</html>`;
