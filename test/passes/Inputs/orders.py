"""Which operands are converted, by the number of variables; the same for other names of them."""
import random
import subprocess
import sys


def converted(expression, tensors):
    formats = [word for t in tensors for word in ("-f", f"{t}:csf")]
    run = subprocess.run([sys.argv[1], expression, *formats, "--emit", "cin"], text=True, check=True,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return [line.split("'")[1] for line in run.stderr.splitlines() if "converted" in line]


def subscripts(names):
    return "(" + ",".join(names) + ")"


def statement(template, names):
    return template.replace("-", subscripts(names[::-1])).replace("+", subscripts(names)).replace("&", "+")


def report(words, template, tensors, counts):
    for count in counts:
        names = [f"v{n}" for n in range(count)]
        found = converted(statement(template, names), tensors)
        for seed in range(2):
            random.Random(seed).shuffle(names)
            other = converted(statement(template, names), tensors)
            found = found if other == found else [f"{found} or {other}"]
        print(f"{words} {count}: {' '.join(found) or 'none'}")


report("into the result", "C+ = A- & B-", "ABC", (6, 7, 8, 11))
report("one against two", "s = A+ * B- * C-", "ABC", (6, 7, 8, 11, 20))
converted("s = A(a,b,c,d,e) * B(e,f,g,h) * C(h,i,j,a) * D(j,k,l) * E(l,m,n,o) * F(o,p,q) * G(q,r,s) * "
          "H(s,t,u) * I(u,b) * J(c,k)", "ABCDEFGHIJ")
print("network of ten: compiles")
