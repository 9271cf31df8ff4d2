SELECT `Origin` AS `Origin`,
       `Cylinders` AS `Cylinders`,
       COUNT(*) AS `count`
FROM `cars`
WHERE (`Horsepower` > 100 -- strong
)
GROUP BY `Origin`,
         `Cylinders`
HAVING (COUNT(*) > 10)
ORDER BY `Origin` IS NULL ASC, `Origin` ASC,
         `Cylinders` IS NULL ASC, `Cylinders` ASC
LIMIT 50000;
-- []
